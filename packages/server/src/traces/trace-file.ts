import type { ConsoleMessage, SubmittedRequest, SubmittedStep } from '@assay/contract';
import { createTraceClock } from './clock.ts';
import { createConsoleLog } from './console.ts';
import { type Fields, fieldsOf } from './fields.ts';
import { requestOf } from './requests.ts';
import { createStepTree } from './steps.ts';

export interface TraceContents {
  requests: SubmittedRequest[];
  steps: SubmittedStep[];
  console: ConsoleMessage[];
}

export interface KeptLimits {
  readonly maxRequests: number;
  readonly maxSteps: number;
  readonly maxConsoleMessages: number;
}

/** One of the files of a trace, which are lines of JSON with a clock of their own. */
export interface TraceFile {
  readonly addLine: (line: Buffer) => void;
  /** Whether anything in it was an event of a trace. */
  readonly isTrace: () => boolean;
  readonly contents: () => TraceContents;
}

/** Snapshots of the page are most of a trace: they are told by how their line begins, and not parsed. */
const BEGINNING = /^\{"type":"([a-z-]{1,30})"/;
const BEGINNING_BYTES = 48;
/** A line that is no JSON costs more than one that is; a file full of them is no trace. */
const MAX_BROKEN_LINES = 1_000;
const NEEDED = new Set(['context-options', 'before', 'after', 'console', 'event', 'object', 'resource-snapshot']);

export const createTraceFile = (limits: KeptLimits): TraceFile => {
  const clock = createTraceClock();
  const tree = createStepTree(limits.maxSteps);
  const log = createConsoleLog(limits.maxConsoleMessages);
  const requests: SubmittedRequest[] = [];
  let isTrace = false;
  let brokenLines = 0;

  const addEvent = (event: Fields): void => {
    if (event['type'] === 'context-options' || event['type'] === 'before') clock.learn(event);
    tree.add(event);
    log.add(event);
    if (event['type'] === 'resource-snapshot' && requests.length < limits.maxRequests) {
      const request = requestOf(event);
      if (request !== null) requests.push(request);
    }
  };

  return {
    addLine: (line) => {
      const beginning = BEGINNING.exec(line.toString('latin1', 0, BEGINNING_BYTES))?.[1];
      if (beginning !== undefined && !NEEDED.has(beginning)) {
        isTrace = true;
        return;
      }
      const event = brokenLines < MAX_BROKEN_LINES ? parseEvent(line) : null;
      if (event === null) brokenLines++;
      else if (typeof event['type'] === 'string') {
        isTrace = true;
        addEvent(event);
      }
    },
    isTrace: () => isTrace,
    contents: () => ({ requests, steps: tree.steps(clock), console: log.messages(clock) }),
  };
};

const parseEvent = (line: Buffer): Fields | null => {
  try {
    return fieldsOf(JSON.parse(line.toString('utf8')));
  } catch {
    return null;
  }
};
