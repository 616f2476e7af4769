import {
  type CaseDetails,
  type ConsoleMessage,
  type SubmittedCase,
  type SubmittedRequest,
  type SubmittedStep,
  type SubmittedVitals,
  isStaticResource,
  normaliseRoute,
  withoutSecrets,
} from '@assay/contract';
import type { RequestRow } from '../../segments/requests.ts';
import { DETAIL_FIELDS, NO_DETAILS } from '../cases/present-case.ts';

/** Whether a case has anything beyond its result that is worth keeping. */
export const hasDetails = (testCase: SubmittedCase): boolean =>
  DETAIL_FIELDS.some((field) => {
    const value = testCase[field];
    if (value === undefined || value === null) return false;
    return !Array.isArray(NO_DETAILS[field]) || (value as readonly unknown[]).length > 0;
  });

/** The requests of a case that count for its endpoints. */
export const requestRows = (caseIndex: number, requests: readonly SubmittedRequest[]): RequestRow[] =>
  requests
    .filter(({ resourceType, url }) => !isStaticResource(resourceType, url))
    .map((request) => requestRow(caseIndex, request));

const requestRow = (caseIndex: number, request: SubmittedRequest): RequestRow => ({
  caseIndex,
  method: request.method.toUpperCase(),
  route: normaliseRoute(request.url),
  status: request.status ?? null,
  durationMs: request.duration ?? null,
  type: request.resourceType ?? null,
});

/** Only fields that are known: what else reporters send with a request may be a secret. */
export const detailsOf = (testCase: SubmittedCase): CaseDetails => ({
  steps: (testCase.steps ?? []).map(storedStep),
  slowestStep: testCase.slowestStep ?? null,
  slowestStepDuration: testCase.slowestStepDuration ?? null,
  networkRequests: (testCase.networkRequests ?? []).map(storedRequest),
  webVitals: testCase.webVitals ? storedVitals(testCase.webVitals) : null,
  console: (testCase.console ?? []).map(storedMessage),
  annotations: (testCase.annotations ?? []).map(({ type, description }) => ({
    type,
    description: description ?? null,
  })),
  attempts: testCase.attempts ?? [],
  metadata: testCase.metadata ?? null,
});

export const storedStep = ({ title, duration, category, error, startTime, steps }: SubmittedStep): SubmittedStep => ({
  title,
  duration: duration ?? null,
  category: category ?? null,
  ...(error === undefined || error === null ? {} : { error }),
  ...(startTime === undefined || startTime === null ? {} : { startTime }),
  ...(steps?.length ? { steps: steps.map(storedStep) } : {}),
});

export const storedRequest = ({
  method,
  url,
  status,
  duration,
  resourceType,
  startTime,
}: SubmittedRequest): SubmittedRequest => ({
  method,
  url: withoutSecrets(url),
  status: status ?? null,
  duration: duration ?? null,
  resourceType: resourceType ?? null,
  ...(startTime === undefined || startTime === null ? {} : { startTime }),
});

export const storedMessage = ({ type, text, startTime, location }: ConsoleMessage): ConsoleMessage => ({
  type,
  text,
  ...(startTime === undefined || startTime === null ? {} : { startTime }),
  ...(location === undefined || location === null ? {} : { location: withoutSecrets(location) }),
});

const storedVitals = (vitals: SubmittedVitals): SubmittedVitals =>
  typeof vitals.navigation?.url === 'string'
    ? { ...vitals, navigation: { ...vitals.navigation, url: withoutSecrets(vitals.navigation.url) } }
    : vitals;
