import type { SubmittedStep } from '@assay/contract';
import type { TestStep } from '@playwright/test/reporter';
import { errorText } from './texts.ts';

const MOST_STEPS = 3_000;
const DEEPEST = 30;
const LONGEST_TITLE = 1_000;

const SETTING_UP = new Set(['hook', 'fixture', 'test.attach']);

export interface Steps {
  readonly steps: SubmittedStep[];
  readonly slowest: { readonly title: string; readonly durationMs: number } | null;
}

/** The steps of an attempt with those inside of them; the slowest is one with none inside, and of no hook or fixture. */
export const readSteps = (given: readonly TestStep[]): Steps => {
  let count = 0;
  let slowest: Steps['slowest'] = null;

  const read = (steps: readonly TestStep[], depth: number, isSettingUp: boolean): SubmittedStep[] => {
    const result: SubmittedStep[] = [];
    for (const step of steps) {
      if (count === MOST_STEPS) {
        count++;
        result.push({ title: `More than ${MOST_STEPS} steps: the others are left out` });
      }
      if (count > MOST_STEPS) break;
      count++;
      const durationMs = Math.max(0, step.duration);
      const told: SubmittedStep = {
        title: step.title.slice(0, LONGEST_TITLE),
        duration: durationMs,
        category: step.category,
        startTime: step.startTime.getTime(),
      };
      if (step.error) told.error = errorText([step.error]);
      const setsUp = isSettingUp || SETTING_UP.has(step.category);
      if (step.steps.length > 0 && depth < DEEPEST) told.steps = read(step.steps, depth + 1, setsUp);
      else if (!setsUp && durationMs > (slowest?.durationMs ?? -1)) slowest = { title: told.title, durationMs };
      result.push(told);
    }
    return result;
  };

  return { steps: read(given, 1, false), slowest };
};
