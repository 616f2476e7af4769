import type { SubmittedStep, TestCaseDetails } from '@assay/contract';
import { lookOfCase } from '../status/outcome.ts';
import { readTimings, readVitals } from './vitals.ts';

export type SectionName = 'result' | 'steps' | 'requests' | 'vitals' | 'console' | 'traces' | 'details';

export interface Section {
  readonly name: SectionName;
  readonly label: string;
  readonly count?: number;
}

/** The parts of a result that there is something in, the one to read first in front. */
export const sectionsOf = (result: TestCaseDetails): Section[] => {
  const {
    status,
    retries,
    error,
    attempts,
    attachments,
    steps,
    networkRequests,
    webVitals,
    console: messages,
    traces,
  } = result;
  const sections: Section[] = [];
  const add = (name: SectionName, label: string, count: number): void => {
    if (count > 0) sections.push({ name, label, count });
  };
  if (error) sections.push({ name: 'result', label: 'Error' });
  add('steps', 'Steps', countSteps(steps));
  add('requests', 'Requests', networkRequests.length);
  if (webVitals && (readVitals(webVitals).length > 0 || readTimings(webVitals).length > 0)) {
    sections.push({ name: 'vitals', label: 'Web vitals' });
  }
  add('console', 'Console', messages.length);
  add('traces', traces.length === 1 ? 'Trace' : 'Traces', traces.length);
  if (hasMore(result)) sections.push({ name: 'details', label: 'Details' });
  if (error || attempts.length + attachments.length === 0) return sections;
  const isTriedAgain = attempts.length > 1;
  const tried: Section =
    isTriedAgain || attachments.length === 0
      ? { name: 'result', label: 'Attempts', count: attempts.length }
      : { name: 'result', label: 'Attachments', count: attachments.length };
  const look = lookOfCase(status, retries);
  const isEvidence = attachments.length > 0 && (look === 'failed' || look === 'flaky');
  return isTriedAgain || isEvidence ? [tried, ...sections] : [...sections, tried];
};

const countSteps = (steps: readonly SubmittedStep[]): number =>
  steps.reduce((count, step) => count + 1 + countSteps(step.steps ?? []), 0);

const hasMore = ({ annotations, tags, metadata }: TestCaseDetails): boolean =>
  annotations.length + tags.length > 0 || isTold(metadata);

/** Whether a value of any shape says anything. */
export const isTold = (value: unknown): boolean =>
  value !== null && value !== undefined && (typeof value !== 'object' || Object.keys(value).length > 0);
