export interface Fact {
  readonly label: string;
  readonly text: string;
  /** Only ever http or https: what a run carries is not ours. */
  readonly href: string | null;
}

const DEEPEST = 3;
const MOST_FACTS = 40;
const LONGEST_TEXT = 500;

/** What the metadata of a run says, as lines of text. */
export const factsOf = (metadata: unknown): Fact[] => {
  const facts: Fact[] = [];
  const walk = (value: unknown, label: string, depth: number): void => {
    if (facts.length >= MOST_FACTS || value === null || value === undefined) return;
    if (typeof value === 'object') {
      if (depth === DEEPEST) return;
      for (const [name, inner] of Object.entries(value))
        walk(inner, Array.isArray(value) ? label : label ? `${label} ${wordsOf(name)}` : wordsOf(name), depth + 1);
      return;
    }
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return;
    const text = String(value).slice(0, LONGEST_TEXT);
    if (text.trim() !== '') facts.push({ label, text, href: webAddress(text) });
  };
  walk(metadata, '', 0);
  return facts;
};

/** `pullRequest` as `pull request`. */
const wordsOf = (name: string): string =>
  name
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
    .replaceAll(/[_-]+/g, ' ');

export const webAddress = (text: string): string | null => {
  if (!/^https?:\/\//i.test(text)) return null;
  return URL.canParse(text) ? new URL(text).href : null;
};

export interface Highlights {
  readonly author: string | null;
  readonly message: string | null;
  readonly link: { readonly href: string; readonly text: string } | null;
}

/** What of it belongs in the heading: who, what for, and where it ran. */
export const highlightsOf = (facts: readonly Fact[]): Highlights => {
  const find = (pattern: RegExp): Fact | undefined => facts.find(({ label }) => pattern.test(label));
  const link = facts.find(
    ({ href, label }) => href !== null && /\b(?:ci|build|job|pipeline|run|url|link)\b/i.test(label),
  );
  const provider = find(/\bprovider$/i)?.text;
  const job = find(/\bjob$/i)?.text;
  const name = [provider, job].filter((part) => part !== undefined && webAddress(part) === null).join(' · ');
  return {
    author: find(/\b(?:author|actor|user)(?: name)?$/i)?.text ?? null,
    message: find(/\b(?:message|commit title)$/i)?.text ?? null,
    link: link?.href ? { href: link.href, text: name || 'CI' } : null,
  };
};

/** How a duration compares with the usual one; nothing where it is about the same or unknown. */
export const againstUsual = (
  duration: number | null,
  usual: number | null | undefined,
): { readonly words: string; readonly slower: boolean } | null => {
  if (duration === null || !usual) return null;
  const change = Math.round((duration / usual - 1) * 100);
  if (Math.abs(change) < 5) return { words: 'as usual', slower: false };
  if (change >= 200) return { words: `${(duration / usual).toFixed(1)} times the usual`, slower: true };
  return { words: `${Math.abs(change)} % ${change > 0 ? 'slower' : 'faster'} than usual`, slower: change > 0 };
};
