import { type SubmittedStep, withoutSecrets } from '@assay/contract';
import { cleanCallTitle, cleanText } from './clean-text.ts';
import type { TraceClock } from './clock.ts';
import { type Fields, fieldsOf, numberIn, textIn } from './fields.ts';

const MAX_ID_LENGTH = 200;
const MAX_TITLE_LENGTH = 1_000;
const MAX_ERROR_LENGTH = 8_000;
const MAX_CATEGORY_LENGTH = 40;
/** Deeper ones hang on the last level: what is stored is read by recursion. */
const MAX_DEPTH = 30;

export interface StepTree {
  readonly add: (event: Fields) => void;
  readonly steps: (clock: TraceClock) => SubmittedStep[];
}

interface Step {
  readonly title: string;
  readonly category: string;
  readonly startMs: number | null;
  readonly depth: number;
  readonly children: Step[];
  endMs: number | null;
  error: string | null;
}

/** Joins `before` and `after` events. A parent comes before its children, so there are no cycles. */
export const createStepTree = (maxSteps: number): StepTree => {
  const roots: Step[] = [];
  const byId = new Map<string, Step>();
  const parentOf = new Map<Step, Step>();
  let count = 0;

  const begin = (event: Fields): void => {
    const id = textIn(event, 'callId', MAX_ID_LENGTH);
    if (id === null || count >= maxSteps) return;
    let parent = byId.get(textIn(event, 'parentId', MAX_ID_LENGTH) ?? '');
    if (parent && parent.depth >= MAX_DEPTH) parent = parentOf.get(parent) ?? parent;
    const step = stepOf(event, id, (parent?.depth ?? 0) + 1);
    if (parent) parentOf.set(step, parent);
    (parent?.children ?? roots).push(step);
    byId.set(id, step);
    // Up to version 9 the children of a call of the interface name its step instead of its call.
    const stepId = textIn(event, 'stepId', MAX_ID_LENGTH);
    if (stepId !== null && !byId.has(stepId)) byId.set(stepId, step);
    count++;
  };

  const end = (event: Fields): void => {
    const step = byId.get(textIn(event, 'callId', MAX_ID_LENGTH) ?? '');
    if (!step) return;
    step.endMs = numberIn(event, 'endTime');
    step.error = errorOf(event['error']);
  };

  return {
    add: (event) => {
      if (event['type'] === 'before') begin(event);
      if (event['type'] === 'after') end(event);
    },
    steps: (clock) => present(roots, clock),
  };
};

const stepOf = (event: Fields, id: string, depth: number): Step => {
  const category = categoryOf(event, id);
  return {
    title: titleOf(event, category),
    category,
    startMs: numberIn(event, 'startTime'),
    depth,
    children: [],
    endMs: null,
    error: null,
  };
};

/** The runner's steps are of a class of their own; older versions have their category in the id, as in `hook@7`. */
const categoryOf = (event: Fields, id: string): string => {
  if (event['class'] !== 'Test') return 'pw:api';
  const method = textIn(event, 'method', MAX_CATEGORY_LENGTH);
  return method === null || method === 'step' ? (id.split('@')[0] ?? '').slice(0, MAX_CATEGORY_LENGTH) : method;
};

const titleOf = (event: Fields, category: string): string => {
  const title = textIn(event, 'title', MAX_TITLE_LENGTH) ?? textIn(event, 'apiName', MAX_TITLE_LENGTH);
  if (title === null) return callName(event);
  if (category === 'test.step') return cleanText(title);
  const subtitle = textIn(event, 'subtitle', MAX_TITLE_LENGTH);
  if (subtitle === null) return cleanCallTitle(title);
  const isAddress = subtitle === textIn(fieldsOf(event['params']), 'url', MAX_TITLE_LENGTH);
  return `${cleanCallTitle(title)} ${cleanText(isAddress ? withoutSecrets(subtitle) : subtitle)}`;
};

const callName = (event: Fields): string => {
  const names = [textIn(event, 'class', MAX_CATEGORY_LENGTH), textIn(event, 'method', MAX_CATEGORY_LENGTH)];
  return names.filter((name) => name !== null).join('.') || 'unnamed';
};

const errorOf = (value: unknown): string | null => {
  const message = typeof value === 'string' ? { message: value } : fieldsOf(fieldsOf(value)['error'] ?? value);
  const text = textIn(message, 'message', MAX_ERROR_LENGTH);
  return text === null ? null : cleanText(text);
};

/** Fixtures say little; what was done in one moves to where it was. */
const present = (steps: readonly Step[], clock: TraceClock): SubmittedStep[] =>
  steps.flatMap((step) => {
    const children = present(step.children, clock);
    return step.category === 'fixture' && step.error === null ? children : [presentOne(step, children, clock)];
  });

const presentOne = (step: Step, children: SubmittedStep[], clock: TraceClock): SubmittedStep => ({
  title: step.title,
  duration: durationOf(step),
  category: step.category,
  startTime: clock.timeOf(step.startMs),
  ...(step.error === null ? {} : { error: step.error }),
  ...(children.length === 0 ? {} : { steps: children }),
});

const durationOf = ({ startMs, endMs }: Step): number | null => {
  const duration = startMs === null || endMs === null ? Number.NaN : endMs - startMs;
  return Number.isFinite(duration * 1_000) ? Math.max(0, Math.round(duration * 1_000) / 1_000) : null;
};
