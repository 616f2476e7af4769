import { globalName } from '../tree/called.ts';
import { GLOBAL_CONSTANTS, VALUE_GLOBALS } from '../tree/globals.ts';
import type { Node, Value } from '../tree/node.ts';
import { partsOf } from '../tree/parts.ts';
import { isGlobal } from './names.ts';
import { report, reportLimit, type Source } from './source.ts';

interface Visit {
  readonly node: Node;
  readonly parent: Visit | undefined;
  readonly depth: number;
}

/** What only the whole tree shows: its size and depth, arrays and objects of constants included, and stray global objects. */
export function checkWhole(source: Source, tree: Node): void {
  let nodes = 0;
  let depth = 0;
  const open: Visit[] = [{ node: tree, parent: undefined, depth: 1 }];
  for (let visit = open.pop(); visit; visit = open.pop()) {
    const { node } = visit;
    const inside = node.kind === 'Constant' ? measure(node.value) : { composites: 0, depth: 0 };
    nodes += 1 + inside.composites;
    depth = Math.max(depth, visit.depth + inside.depth);
    if (node.kind === 'Capture' && node.global) checkGlobal(source, visit, node.name);
    // The first is taken next.
    for (const { part } of [...partsOf(node)].reverse())
      open.push({ node: part, parent: visit, depth: visit.depth + 1 });
  }
  const end = source.text.length;
  if (nodes > source.limits.nodes) reportLimit(source, 'nodes', nodes, 0, end);
  else if (depth > source.limits.depth) reportLimit(source, 'depth', depth, 0, end);
}

/** How many arrays and objects a value has and how deep they nest. */
function measure(root: Value): { readonly composites: number; readonly depth: number } {
  let composites = 0;
  let depth = 0;
  const work: [value: unknown, level: number][] = [[root, 1]];
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    const [value, level] = item;
    if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof RegExp) continue;
    composites++;
    depth = Math.max(depth, level);
    for (const inner of Object.values(value)) work.push([inner, level + 1]);
  }
  return { composites, depth };
}

/** A global object is a callee, the base of a called or constant member, or right of `instanceof`; it is no value. */
function checkGlobal(source: Source, visit: Visit, name: string): void {
  const { start, end } = visit.node.span ?? { start: 0, end: source.text.length };
  if (!isGlobal(name)) return report(source, 'global.unknown', start, end, `There is no global ${name}`);
  if (VALUE_GLOBALS.has(name) || isCalled(visit)) return;
  const above = visit.parent?.node;
  if (above && GLOBAL_CONSTANTS.has(globalName(above))) return;
  if (above?.kind === 'Binary' && above.op === 'instanceof' && above.right === visit.node) return;
  if (above?.kind === 'Member' && above.object === visit.node && isCalled(visit.parent!)) return;
  if (above?.kind === 'Index' && above.object === visit.node && isCalled(visit.parent!)) {
    if (above.index.kind === 'Constant' && typeof above.index.value === 'string') return;
  }
  report(source, 'global.misplaced', start, end, `${name} is a global object and not a value`);
}

function isCalled({ node, parent }: Visit): boolean {
  return parent?.node.kind === 'Call' && parent.node.callee === node;
}
