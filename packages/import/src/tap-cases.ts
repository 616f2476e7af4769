import type { SubmittedCase } from '@assay/contract';
import { buildCase, isFailure } from './build-case.ts';
import { isFile } from './places.ts';
import { type Diagnostics, readDiagnostics } from './tap-diagnostics.ts';
import type { TapPoint } from './tap-lines.ts';
import { type GrowingText, MAX_ERROR, growText } from './texts.ts';

/** A test point with what stands below it. Plain, for a file may have very many. */
export interface TapNode {
  readonly point: TapPoint;
  /** Names of subtests around it that no point of their own tells. */
  readonly within: readonly string[];
  children: readonly TapNode[];
  diagnostics: Diagnostics | null;
  comments: GrowingText | null;
}

const NO_NAMES: readonly string[] = [];

export const newTapNode = (point: TapPoint, children: readonly TapNode[]): TapNode => ({
  point,
  within: NO_NAMES,
  children,
  diagnostics: null,
  comments: null,
});

export const diagnose = (node: TapNode, lines: readonly string[]): void => {
  node.diagnostics ??= readDiagnostics(lines);
};

export const comment = (node: TapNode, text: string): void => (node.comments ??= growText(MAX_ERROR)).add(`${text}\n`);

export const adopt = (node: TapNode, children: readonly TapNode[]): void => {
  node.children = [...node.children, ...children];
};

export const buildTapCases = (nodes: readonly TapNode[], root: string): SubmittedCase[] =>
  nodes.flatMap((node, at) => casesOf(node, at, [], root));

/** A point with subtests is told by them, unless it failed by itself. */
const casesOf = (node: TapNode, at: number, outer: readonly string[], root: string): SubmittedCase[] => {
  const { point, children, diagnostics } = node;
  const titles = [...outer, ...node.within, point.description || `test ${point.number ?? at + 1}`];
  if (children.length === 0) return [buildPoint(node, titles, root)];
  const cases = children.flatMap((child, index) => casesOf(child, index, titles, root));
  const childFailed = cases.some(({ status }) => isFailure(status));
  const saysWhy = diagnostics !== null && diagnostics.error !== '' && !diagnostics.onlyBySubtests;
  const failed = !point.ok && point.directive === null && (!childFailed || saysWhy);
  return failed ? [...cases, buildPoint(node, titles, root)] : cases;
};

const buildPoint = (
  { point, diagnostics, comments }: TapNode,
  path: readonly string[],
  root: string,
): SubmittedCase => {
  const [file, titles] = splitFile(path);
  const status = statusOf(point, diagnostics);
  const error = [diagnostics?.error ?? '', comments?.text().trim() ?? ''].filter((part) => part !== '').join('\n');
  const counted = status === 'passed' || status === 'skipped';
  const annotations = point.directive === null ? [] : [{ type: point.directive, description: point.reason }];
  return buildCase(
    {
      titles,
      place: file === null ? undefined : { file },
      attempts: [
        {
          status,
          durationMs: diagnostics?.durationMs ?? point.durationMs,
          error: counted ? undefined : error || 'not ok',
        },
      ],
      annotations,
    },
    root,
  );
};

const statusOf = (point: TapPoint, diagnostics: Diagnostics | null): string => {
  if (point.directive !== null) return 'skipped';
  if (point.ok) return 'passed';
  return diagnostics?.isTimeout ? 'timedOut' : 'failed';
};

/** Some runners have the file as the outermost test, or before ` > ` in every name. */
const splitFile = (path: readonly string[]): [string | null, readonly string[]] => {
  const [first = '', ...rest] = path;
  const parts = first.split(' > ');
  if (!isFile(parts[0]!)) return [null, path];
  const titles = [...parts.slice(1), ...rest];
  return [parts[0]!, titles.length > 0 ? titles : [first]];
};
