import { ApiError } from '@assay/contract/request';

export interface Problem {
  readonly title: string;
  readonly advice: string;
}

/** What went wrong in plain words, and what to do. */
export const problemOf = (error: unknown): Problem => {
  if (!(error instanceof ApiError)) {
    return { title: 'The service is not responding', advice: 'It may be restarting. This page retries automatically.' };
  }
  const { status, message } = error;
  if (status === 404) return { title: message, advice: 'It may have been deleted, or the address is mistyped.' };
  if (error.body?.code === 'authentication_required')
    return { title: 'You are not signed in', advice: 'Sign in, then try again.' };
  if (status === 403) return { title: message, advice: 'Ask an Administrator if you need this.' };
  if (status === 429) return { title: message, advice: 'Wait a moment, then try again.' };
  if (status >= 500) {
    const reference = error.body?.requestId ? ` Its log has the details under request ID ${error.body.requestId}.` : '';
    return { title: 'The service failed to answer', advice: `Try again in a moment.${reference}` };
  }
  return { title: message, advice: adviceOf(error) };
};

/** The same for a change that was asked for. Without an answer nobody knows, so it counts as not done. */
export const changeProblemOf = (error: unknown): Problem =>
  error instanceof ApiError
    ? problemOf(error)
    : {
        title: 'Not done: the service is not responding',
        advice: 'It may be restarting. Try again in a moment; the page shows then what is stored.',
      };

/** What is wrong with each field, by the name of the field. */
export const fieldProblems = (error: unknown): Record<string, string> => {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(
    (error.body?.issues ?? []).map(({ path, message }) => [path.split('/').at(-1) ?? '', message]),
  );
};

const adviceOf = (error: ApiError): string =>
  (error.body?.issues ?? []).map(({ path, message }) => `${path.replaceAll('/', ' ').trim()} ${message}`).join('; ');
