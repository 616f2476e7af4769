import { type Static, Type } from 'typebox';
import { Id } from './ids.ts';
import { Nullable } from './schema.ts';

/** A project as other resources name it. */
export const ProjectName = Type.Object(
  { id: Id, name: Type.String(), label: Nullable(Type.String()) },
  { title: 'ProjectName' },
);
export type ProjectName = Static<typeof ProjectName>;

export const RepositoryUrl = Nullable(Type.String(), { description: 'Where its code is, if an Administrator said' });

/** The same beside commits and files, which are linked to the repository. */
export const ProjectOfCode = Type.Object(
  { ...ProjectName.properties, repositoryUrl: RepositoryUrl },
  { title: 'ProjectOfCode' },
);
export type ProjectOfCode = Static<typeof ProjectOfCode>;

const LONGEST_NAME = 200;
// oxlint-disable-next-line no-control-regex
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f]/;

export const projectNameIssue = (trimmed: string): string | null => {
  const length = Array.from(trimmed.slice(0, 2 * LONGEST_NAME + 1)).length;
  if (length === 0) return 'must not be empty';
  if (length > LONGEST_NAME) return `must not have more than ${LONGEST_NAME} characters`;
  if (CONTROL_CHARACTER.test(trimmed)) return 'must not have control characters';
  return null;
};
