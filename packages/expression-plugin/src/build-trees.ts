import { type Node, parseText, walk } from '@assay/expression';
import { MagicString, type SourceMap } from 'magic-string';
import { BuildError } from './build-error.ts';
import { literalOf } from './literal.ts';
import { type SourceNode, parseSource, walkSource, withoutTypes } from './source.ts';

const LIBRARY = '@assay/expression';
const MARKER = 'expr';

export interface BuiltModule {
  readonly code: string;
  readonly map: SourceMap;
}

/** A module with a tree in place of each `expr(lambda)`; undefined where it has none. */
export const buildTrees = (code: string, file: string): BuiltModule | undefined => {
  const program = parseSource(code, file);
  const names = findMarkers(program);
  if (names.direct.size + names.namespaces.size === 0) return undefined;
  const made = new MagicString(code);
  const used = new Set<string>();
  walkSource(program, (node) => {
    if (node.type === 'Identifier') used.add(nameOf(node));
    const lambda = lambdaOf(node, names);
    if (lambda) made.overwrite(node.start, node.end, `(${literalOf(readLambda(lambda, code, file))})`);
    return !lambda && node.type !== 'ImportDeclaration';
  });
  if (made.hasChanged()) removeUnused(program, names.direct, used, made);
  return made.hasChanged()
    ? { code: made.toString(), map: made.generateMap({ source: file, hires: true }) }
    : undefined;
};

interface Markers {
  /** By what names `expr` itself was imported. */
  readonly direct: ReadonlySet<string>;
  /** Those of the whole library, as in `expression.expr`. */
  readonly namespaces: ReadonlySet<string>;
}

const nameOf = (node: unknown): string => {
  const { name, value } = node as { readonly name?: string; readonly value?: string };
  return name ?? value ?? '';
};

/** Of the markers that were imported, those that have no use any more: bundlers would warn of them. */
const removeUnused = (
  program: SourceNode,
  markers: ReadonlySet<string>,
  used: ReadonlySet<string>,
  made: MagicString,
): void => {
  for (const specifier of specifiersOf(program)) {
    const name = nameOf(specifier['local']);
    if (!markers.has(name) || used.has(name)) continue;
    const [comma = ''] = /^\s*,/.exec(made.original.slice(specifier.end)) ?? [];
    made.update(specifier.start, specifier.end + comma.length, '');
  }
};

const specifiersOf = (program: SourceNode): SourceNode[] =>
  (program['body'] as SourceNode[])
    .filter((statement) => statement.type === 'ImportDeclaration' && nameOf(statement['source']) === LIBRARY)
    .flatMap((statement) => statement['specifiers'] as SourceNode[]);

const findMarkers = (program: SourceNode): Markers => {
  const direct = new Set<string>();
  const namespaces = new Set<string>();
  for (const specifier of specifiersOf(program)) {
    const local = nameOf(specifier['local']);
    if (specifier.type === 'ImportNamespaceSpecifier') namespaces.add(local);
    else if (nameOf(specifier['imported']) === MARKER) direct.add(local);
  }
  return { direct, namespaces };
};

/** The lambda of a call of the marker. */
const lambdaOf = (node: SourceNode, { direct, namespaces }: Markers): SourceNode | undefined => {
  if (node.type !== 'CallExpression') return undefined;
  const callee = node['callee'] as SourceNode;
  const isMarker =
    callee.type === 'MemberExpression'
      ? namespaces.has(nameOf(callee['object'])) && nameOf(callee['property']) === MARKER
      : callee.type === 'Identifier' && direct.has(nameOf(callee));
  let [lambda] = node['arguments'] as SourceNode[];
  while (lambda?.type === 'ParenthesizedExpression') lambda = lambda['expression'] as SourceNode;
  return isMarker && lambda?.type === 'ArrowFunctionExpression' ? lambda : undefined;
};

const readLambda = (lambda: SourceNode, code: string, file: string): Node => {
  const text = withoutTypes(lambda, code);
  const tree = readText(text, [], lambda, code, file);
  const captures = freeNames(tree);
  return captures.size === 0 ? tree : readText(text, captures, lambda, code, file);
};

const readText = (text: string, captures: Iterable<string>, lambda: SourceNode, code: string, file: string): Node => {
  const read = parseText(text, { captures });
  if (read.ok) return read.tree;
  const [issue] = read.issues;
  throw new BuildError(issue!.message, file, code, lambda.start + (issue!.span?.start ?? 0));
};

/** What no lambda binds: the variables around, which the evaluation is given as its scope. */
const freeNames = (tree: Node): Set<string> => {
  const free = new Set<string>();
  walk(tree, {
    enter({ node, parent }) {
      if (node.kind !== 'Param') return;
      for (let at = parent; at; at = at.parent)
        if (at.node.kind === 'Lambda' && at.node.params.includes(node.name)) return;
      free.add(node.name);
    },
  });
  return free;
};
