import { MAX_LOOSE_OWNERS, MAX_OWNERS_OF_FILE } from '@assay/contract/limits';

/** Who owns a path of the repository, in the order of the file; nobody when no line matches, or one without owners. */
export type OwnersOf = (path: string) => readonly string[];

interface Rule {
  /** Of the pattern; `**` stands for any number of folders. */
  readonly segments: readonly string[];
  readonly owners: readonly string[];
}

interface Section {
  readonly rules: Rule[];
  readonly owners: readonly string[];
}

const NOBODY: readonly string[] = [];
const ANY = '**';
/** As GitLab groups rules, such as `^[Docs][2] @writers`; its owners are those of rules that name none. */
const SECTION = /^\^?\[[^\]]+\](?:\[\d+\])?(?:\s+(.*))?$/;
const OWNER = /^(?=.{1,255}$)(?:@{1,2}[^\s@]+|[^\s@]+@[^\s@]+)$/;
/** Comparisons for one path. One that takes more is nobody's: people write no such patterns. */
const MOST_STEPS = 400_000;

/**
 * Reads a CODEOWNERS file as GitHub and GitLab do: of the rules that match a path the last one counts, in each section by
 * itself. Lines that are no rules are skipped.
 */
export const readCodeowners = (text: string): OwnersOf => {
  const find = readSections(text).map(({ rules }) => findLast(rules));
  return (path) => {
    const segments = path.split('/');
    const work: Work = { left: MOST_STEPS };
    const found = new Set<string>();
    for (const ofSection of find) {
      const owners = ofSection(segments, work)?.owners ?? NOBODY;
      if (work.left < 0) return NOBODY;
      for (const owner of owners) if (found.size < MAX_OWNERS_OF_FILE) found.add(owner);
    }
    return [...found];
  };
};

/** Steps that may still be taken: beyond them nothing matches. */
interface Work {
  left: number;
}

/** What is wrong with a text that is too much to ask for each file; null for others. */
export const codeownersIssue = (text: string): string | null => {
  const loose = readSections(text).reduce((sum, { rules }) => sum + rules.filter(isLoose).length, 0);
  if (loose <= MAX_LOOSE_OWNERS) return null;
  return `must have at most ${MAX_LOOSE_OWNERS} patterns with wildcards or of any folder, not ${loose}`;
};

/** Whether a rule may match in several folders, so that many like it would be tried on one path. */
const isLoose = ({ segments }: Rule): boolean => {
  const first = segments.findIndex(hasWildcard);
  return first >= 0 && segments.slice(first).some((segment) => segment !== '*' && segment !== ANY);
};

const readSections = (text: string): Section[] => {
  let section: Section = { rules: [], owners: NOBODY };
  const sections = [section];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const trimmed = line.trim();
    const header = SECTION.exec(trimmed);
    if (header) {
      section = { rules: [], owners: ownersIn(wordsOf(header[1] ?? '')) ?? NOBODY };
      sections.push(section);
      continue;
    }
    const [pattern, ...words] = trimmed.startsWith('#') ? [] : wordsOf(trimmed);
    const owners = words.length === 0 ? section.owners : ownersIn(words);
    if (pattern !== undefined && owners !== null) section.rules.push({ segments: segmentsOf(pattern), owners });
  }
  return sections;
};

/** Words of a line up to a comment; a backslash keeps what follows in its word. */
const wordsOf = (line: string): string[] => {
  const words: string[] = [];
  for (const [word] of line.matchAll(/(?:\\.|[^\s\\]|\\$)+/g)) {
    if (word.startsWith('#')) break;
    words.push(word.replaceAll(/\\(.)/g, '$1'));
  }
  return words;
};

/** Null when a word is no owner: such a line is none at all. */
const ownersIn = (words: readonly string[]): readonly string[] | null =>
  words.every((word) => OWNER.test(word)) ? words : null;

/**
 * A pattern with a slash before its end is of the root, others match in any folder. It matches a file or all below a
 * folder; only a folder when it ends in a slash, and only what is directly in its folder when it ends in `/*`.
 */
const segmentsOf = (pattern: string): readonly string[] => {
  const body = pattern.replace(/^\//, '').replace(/\/$/, '');
  const given = body.split('/').filter((segment) => segment !== '');
  const fromRoot = pattern.startsWith('/') || body.includes('/');
  const isOfFolder = pattern.endsWith('/');
  const isDirect = fromRoot && given.length > 1 && given.at(-1) === '*';
  const end = isDirect ? [] : isOfFolder ? ['*', ANY] : [ANY];
  return [...(fromRoot ? [] : [ANY]), ...given, ...end].filter(
    (segment, at, all) => segment !== ANY || all[at - 1] !== ANY,
  );
};

const hasWildcard = (segment: string): boolean => segment.includes('*') || segment.includes('?');

/** Rules by the folder that their patterns begin with: few of many rules are tried on a path. */
interface Folder {
  readonly rules: { readonly rule: Rule; readonly nth: number }[];
  readonly folders: Map<string, Folder>;
}

const findLast = (rules: readonly Rule[]): ((path: readonly string[], work: Work) => Rule | null) => {
  const root: Folder = { rules: [], folders: new Map() };
  for (const [nth, rule] of rules.entries()) {
    let folder = root;
    for (const segment of rule.segments) {
      if (hasWildcard(segment)) break;
      let next = folder.folders.get(segment);
      if (!next) folder.folders.set(segment, (next = { rules: [], folders: new Map() }));
      folder = next;
    }
    folder.rules.push({ rule, nth });
  }
  return (path, work) => {
    const tried = [...root.rules];
    let folder: Folder | undefined = root;
    for (const segment of path) {
      folder = folder.folders.get(segment);
      if (!folder) break;
      for (const candidate of folder.rules) tried.push(candidate);
    }
    work.left -= 1 + tried.length;
    tried.sort((a, b) => b.nth - a.nth);
    return tried.find(({ rule }) => matchesPath(rule.segments, path, work))?.rule ?? null;
  };
};

const matchesPath = (pattern: readonly string[], path: readonly string[], work: Work): boolean =>
  matchesAll(
    pattern,
    path,
    (segment) => segment === ANY,
    (segment, given) => matchesSegment(segment, given, work),
    work,
  );

const matchesSegment = (pattern: string, segment: string, work: Work): boolean => {
  if (!hasWildcard(pattern)) return pattern === segment;
  // Most patterns are told by their end.
  const last = pattern.at(-1)!;
  if (last !== '*' && last !== '?' && last !== segment.at(-1)) return false;
  return matchesAll(
    pattern,
    segment,
    (letter) => letter === '*',
    (letter, given) => letter === '?' || letter === given,
    work,
  );
};

/**
 * Whether a pattern with stars, each for any number of items, matches all items. Only the last star met is ever tried
 * with more items.
 */
const matchesAll = <T>(
  pattern: ArrayLike<T>,
  items: ArrayLike<T>,
  isStar: (item: T) => boolean,
  matches: (item: T, given: T) => boolean,
  work: Work,
): boolean => {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let item = 0; item < items.length;) {
    if (work.left-- <= 0) return false;
    if (at < pattern.length && isStar(pattern[at]!)) {
      star = at++;
      resume = item;
    } else if (at < pattern.length && matches(pattern[at]!, items[item]!)) {
      at++;
      item++;
    } else if (star >= 0) {
      at = star + 1;
      item = ++resume;
    } else return false;
  }
  while (at < pattern.length && isStar(pattern[at]!)) at++;
  return at === pattern.length;
};
