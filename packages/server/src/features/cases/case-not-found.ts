import { AppError } from '../../errors.ts';

export const caseNotFound = (id: number): AppError =>
  new AppError('test_case_not_found', `There is no test case ${id}`);
