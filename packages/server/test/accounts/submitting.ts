import { submission } from '../conformance/build.ts';
import { type Accounts, post, type Request } from './people.ts';

export const SUBMIT = '/api/test-runs/submit';
export const UPLOAD = '/api/test-runs/upload';

export const submitTo = (accounts: Accounts, request: Request): Promise<Response> =>
  post(accounts, SUBMIT, submission(), request);

export const smallForm = (): FormData => {
  const form = new FormData();
  form.set('projectName', 'uploaded');
  form.set('testRun', JSON.stringify({ status: 'passed', startTime: '2026-03-01T10:00:00Z' }));
  form.set('testCases', '[]');
  return form;
};
