import { nearestName } from '../catalogue/nearest.ts';
import { quote } from '../text/strings.ts';
import type { Issue } from '../tree/issue.ts';
import type { Node } from '../tree/node.ts';

/** A node that may have issues, and where they go. */
export interface Reporting {
  readonly node: Node;
  /** JSON Pointer of the node. */
  readonly path: string;
  readonly issues: Issue[];
}

export const report = (
  { node, path, issues }: Reporting,
  code: string,
  message: string,
  details?: Issue['details'],
): void => {
  issues.push({ code, path, span: node.span, message, details });
};

/** A name that there is not, with the nearest one that there is. */
export const reportUnknown = (
  at: Reporting,
  code: string,
  says: string,
  name: string,
  names: Iterable<string>,
  details: Issue['details'] = { name },
): void => {
  const nearest = nearestName(name, names);
  const suggestion = nearest === undefined ? '' : `; did you mean ${quote(nearest)}?`;
  report(at, code, `${says} ${quote(name)}${suggestion}`, { ...details, nearest });
};

export const reportUnknownField = (at: Reporting, name: string, fields: object): void =>
  reportUnknown(at, 'field.unknown', 'There is no field', name, Object.keys(fields));
