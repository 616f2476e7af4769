import { type Importer, type Problem, problem } from './imported.ts';
import { linesOf } from './source.ts';
import { type TapNode, adopt, buildTapCases, comment, diagnose, newTapNode } from './tap-cases.ts';
import { type TapPoint, readTapLine } from './tap-lines.ts';

/** The tests at one indentation. */
interface Level {
  readonly indent: number;
  /** From a `# Subtest` comment; the test point behind the subtests says it too. */
  name: string;
  /** The point that opened it in braces; others close theirs. */
  readonly opener: TapNode | null;
  readonly nodes: TapNode[];
  plan: number | null;
  line: number;
}

const MAX_YAML_LINES = 5_000;
/** Subtests that are deeper count as if they were not. */
const MAX_LEVELS = 50;
const MAX_LINE = 16 * 1024;

/** The Test Anything Protocol, versions 12 to 14, with the braces that some runners write around subtests. */
export const importTap: Importer = async (source, { root }) => {
  const problems: Problem[] = [];
  const errors: string[] = [];
  const levels: Level[] = [newLevel(0, null, 1)];
  let yaml: { indent: number; lines: string[]; node: TapNode | null; line: number } | null = null;
  const seen: { last: TapNode | null } = { last: null };
  let subtestName = '';
  let durationMs: number | null = null;
  let bailedOut = false;
  const top = (): Level => levels[levels.length - 1]!;

  const closeLevel = (): Level => {
    const level = levels.pop()!;
    const { plan, line } = level;
    if (plan !== null && plan > level.nodes.length && !bailedOut) {
      problems.push(problem(`${plan - level.nodes.length} of ${plan} planned tests did not run`, line));
    } else if (plan !== null && plan < level.nodes.length) {
      problems.push(problem(`it planned ${plan} tests but has ${level.nodes.length}`, line));
    }
    return level;
  };
  /** Subtests that no test point closed stay, under the name that was announced. */
  const closeUnclaimed = (): void => {
    const { nodes, name, opener } = closeLevel();
    if (opener === null) top().nodes.push(...nodes.map((node) => ({ ...node, within: [name, ...node.within] })));
  };
  const openLevel = (indent: number, line: number): void => {
    levels.push({ ...newLevel(indent, null, line), name: subtestName });
    subtestName = '';
  };
  const addPoint = (point: TapPoint, indent: number, line: number): void => {
    let children: TapNode[] = [];
    while (levels.length > 1 && top().indent > indent) {
      // Only the subtests directly below are its own.
      if (levels[levels.length - 2]!.indent > indent) closeUnclaimed();
      else children = closeLevel().nodes;
    }
    if (top().indent < indent && levels.length < MAX_LEVELS) openLevel(indent, line);
    const node = newTapNode(point, children);
    top().nodes.push(node);
    top().line = line;
    seen.last = node;
    subtestName = '';
    if (point.opens && levels.length < MAX_LEVELS) levels.push(newLevel(indent + 1, node, line));
  };

  for await (const { text, number } of linesOf(source)) {
    const indent = text.length - text.trimStart().length;
    const line = text.slice(0, MAX_LINE).trim();
    if (yaml !== null) {
      if (line === '...' && indent <= yaml.indent) {
        if (yaml.node) diagnose(yaml.node, yaml.lines);
        yaml = null;
      } else if (yaml.lines.length < MAX_YAML_LINES) yaml.lines.push(text.slice(Math.min(indent, yaml.indent)));
      continue;
    }
    if (line === '---' && indent > 0) {
      yaml = { indent, lines: [], node: seen.last, line: number };
      continue;
    }
    const read = readTapLine(line);
    switch (read.kind) {
      case 'test':
        addPoint(read.test, levelIndent(top(), indent), number);
        break;
      case 'plan':
        if (levelIndent(top(), indent) > top().indent && levels.length < MAX_LEVELS) openLevel(indent, number);
        if (top().indent === levelIndent(top(), indent)) {
          top().plan = read.count;
          top().line = number;
        }
        seen.last = null;
        break;
      case 'subtest':
        if (indent > top().indent && top().opener === null && top().nodes.length === 0) top().name = read.name;
        subtestName = read.name;
        break;
      case 'bail-out':
        bailedOut = true;
        errors.push(`Bail out! ${read.reason}`.trim());
        break;
      case 'comment':
        if (durationIn(read.text) !== null) durationMs = durationIn(read.text);
        else if (seen.last) comment(seen.last, read.text);
        break;
      case 'close':
        if (top().opener !== null) adopt(top().opener!, closeLevel().nodes);
        break;
      case 'version':
      case 'other':
    }
  }
  if (yaml !== null) {
    if (yaml.node) diagnose(yaml.node, yaml.lines);
    problems.push(problem('it ends inside of a YAML block', yaml.line));
  }
  while (levels.length > 1) {
    const { opener, line } = top();
    problems.push(problem('it ends inside of subtests', line));
    if (opener === null) closeUnclaimed();
    else adopt(opener, closeLevel().nodes);
  }
  const { nodes, plan } = closeLevel();
  if (plan === null && !bailedOut && problems.length === 0) {
    problems.push(problem('it has no plan, so it may be truncated'));
  }
  return {
    cases: buildTapCases(nodes, root),
    startTimeMs: null,
    durationMs,
    status: bailedOut || problems.length > 0 ? 'interrupted' : null,
    shard: null,
    errors,
    problems,
  };
};

const newLevel = (indent: number, opener: TapNode | null, line: number): Level => ({
  indent,
  name: '',
  opener,
  nodes: [],
  plan: null,
  line,
});

/** Inside of braces any indentation is that of the level. */
const levelIndent = (level: Level, indent: number): number => (level.opener === null ? indent : level.indent);

const durationIn = (comment: string): number | null => {
  const [, value, unit] = /^(?:duration_ms\s+|time=)(\d+(?:\.\d+)?)(ms|s)?$/.exec(comment) ?? [];
  return value === undefined ? null : Number(value) * (unit === 's' ? 1000 : 1);
};
