import type { TestSince } from '@assay/contract';
import { openClient } from '../http/client.ts';
import { type Checkout, Interrupted, runGit, takeCheckout } from './bisect-checkout.ts';
import type { Range } from './bisect-posterior.ts';
import { searchFirstBad } from './bisect-search.ts';
import { SERVICE_FLAGS, UsageError, readArguments, readCommandOptions, readCount } from './read-arguments.ts';
import { EXIT, type Exit, type Terminal } from './terminal.ts';

const FLAGS = {
  url: SERVICE_FLAGS.url,
  good: { type: 'string' },
  bad: { type: 'string' },
  test: { type: 'string' },
  'max-runs': { type: 'string' },
  'first-parent': { type: 'boolean' },
  verbose: { type: 'boolean' },
} as const;

/** What the service knows of a test holds with this certainty. */
const CERTAINTY = 0.95;
const MOST_COMMITS = 3_000;
const DEFAULT_RUNS = 100;
const SHOWN_COMMITS = 10;

export const runBisect = async (args: string[], terminal: Terminal): Promise<Exit> => {
  const split = args.indexOf('--');
  const command = split < 0 ? [] : args.slice(split + 1);
  const { values, positionals } = readArguments(split < 0 ? args : args.slice(0, split), FLAGS);
  if (command.length === 0 || positionals.length > 0) {
    throw new UsageError('needs a command after --, such as assay bisect --good v1.2 -- npm test');
  }
  const mostRuns = readCount('max-runs', values['max-runs']) ?? DEFAULT_RUNS;
  const root = await runGit(terminal.cwd, ['rev-parse', '--show-toplevel']);
  const known = values.test === undefined ? null : await askService(values.test, values.url, terminal);
  const good = await resolve(root, values.good ?? known?.good ?? null, '--good');
  const bad = await resolve(root, values.bad ?? known?.bad ?? 'HEAD', '--bad');
  const range = await readRange(root, good, bad, values['first-parent'] ?? false, known?.chances ?? new Map());
  const say = (line: string): void => void terminal.stdout.write(`${line}\n`);
  say(`${range.commits.length} commits after ${good.slice(0, 10)}, up to ${bad.slice(0, 10)}`);
  const checkout = await takeCheckout(root, terminal.cwd);
  try {
    return await search({ root, good, range, command, checkout, mostRuns, isLoud: values.verbose ?? false, say });
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    say('Interrupted');
    return EXIT.unclear;
  } finally {
    await checkout.restore();
  }
};

interface Search {
  readonly root: string;
  readonly good: string;
  readonly range: Omit<Range, 'atGood'>;
  readonly command: readonly string[];
  readonly checkout: Checkout;
  readonly mostRuns: number;
  readonly isLoud: boolean;
  readonly say: (line: string) => void;
}

const search = async ({ root, good, range, command, checkout, mostRuns, isLoud, say }: Search): Promise<Exit> => {
  const found = await searchFirstBad({
    range,
    mostRuns,
    tryAt: (commit) => checkout.try(commit === 'good' ? good : range.commits[commit]!, command, isLoud),
    onTried(commit, tried, runs, left) {
      const certain = left === 1 ? 'one commit' : `one of ${left} commits`;
      say(`${runs}. ${range.commits[commit]!.slice(0, 10)} ${tried}; 95 % certain: ${certain}`);
    },
  });
  if (found.kind === 'never failed') throw new UsageError('the command does not fail at the bad commit');
  if (found.kind === 'never passed') throw new UsageError('the command does not pass at the good commit');
  await tell(root, range, found.chances, found.likely, say);
  return found.likely.length === 1 ? EXIT.good : EXIT.unclear;
};

const tell = async (
  root: string,
  { commits }: Omit<Range, 'atGood'>,
  chances: readonly number[],
  likely: readonly number[],
  say: (line: string) => void,
): Promise<void> => {
  say(
    likely.length === 1
      ? 'First bad commit, with 95 % certainty:'
      : `One of ${likely.length} commits, with 95 % certainty:`,
  );
  for (const at of likely.slice(0, SHOWN_COMMITS)) {
    const words = await runGit(root, ['log', '-1', '--format=%h %s (%an)', commits[at]!]);
    say(`  ${words}, ${(chances[at]! * 100).toFixed(chances[at]! > 0.99 ? 1 : 0)} %`);
  }
  if (likely.length > SHOWN_COMMITS) say(`  and ${likely.length - SHOWN_COMMITS} more`);
};

const resolve = async (root: string, name: string | null, flag: string): Promise<string> => {
  if (name === null) throw new UsageError(`needs ${flag}, or --test with the number of a test`);
  const found = await runGit(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]).catch(
    () => null,
  );
  if (found === null) throw new UsageError(`${flag} must name a commit of this repository, but is "${name}"`);
  return found;
};

/** Oldest first, so that each comes after all behind it. */
const readRange = async (
  root: string,
  good: string,
  bad: string,
  firstParent: boolean,
  known: ReadonlyMap<string, number>,
): Promise<Omit<Range, 'atGood'>> => {
  const listed = await runGit(root, [
    'rev-list',
    '--topo-order',
    '--reverse',
    '--parents',
    ...(firstParent ? ['--first-parent'] : []),
    bad,
    `^${good}`,
  ]);
  const rows = listed === '' ? [] : listed.split('\n').map((line) => line.split(' '));
  const count = rows.length;
  if (count === 0) throw new UsageError('the bad commit has nothing that the good one has not');
  if (count > MOST_COMMITS) {
    throw new UsageError(
      `there are ${count} commits between, more than ${MOST_COMMITS}: narrow them, or use --first-parent`,
    );
  }
  const commits = rows.map(([hash]) => hash!);
  const placeOf = new Map(commits.map((hash, at) => [hash, at]));
  const behind = new Uint8Array(count * count);
  for (const [at, [, ...parents]] of rows.entries()) {
    behind[at * count + at] = 1;
    for (const parent of firstParent ? parents.slice(0, 1) : parents) {
      const place = placeOf.get(parent);
      if (place === undefined) continue;
      for (let other = 0; other <= place; other++) behind[at * count + other]! |= behind[place * count + other]!;
    }
  }
  const rest = known.size === 0 ? 1 : 1 - CERTAINTY;
  const prior = commits.map((hash) => rest / count + (known.get(hash) ?? 0) * (1 - rest));
  return { commits, prior, contains: (commit, other) => behind[commit * count + other] === 1 };
};

interface Known {
  readonly good: string | null;
  readonly bad: string | null;
  /** Of commits, that each is the first bad one. */
  readonly chances: ReadonlyMap<string, number>;
}

/** What the service knows of the test. */
const askService = async (test: string, url: string | undefined, { env }: Terminal): Promise<Known> => {
  const id = readCount('test', test);
  const options = readCommandOptions({ serverUrl: url }, env, { projectName: false });
  const client = openClient(options.serverUrl, { kind: 'none' }, env);
  try {
    const signal = AbortSignal.timeout(options.timeoutMs);
    const reply = await client.call<TestSince>({ method: 'GET', path: `/api/tests/${id}/since`, signal });
    if (!reply.ok)
      throw new UsageError(`the service does not say since when test ${id} is broken: ${reply.failure.why}`);
    const change = reply.body.broken ?? reply.body.flaky;
    if (!change) throw new UsageError(`test ${id} is neither broken nor flaky, as far as the service knows`);
    const chances = new Map<string, number>();
    for (const { probability, commits, commitCount } of change.places) {
      for (const { hash } of commits) chances.set(hash, probability / (commitCount ?? commits.length));
    }
    const [likeliest] = change.places;
    return {
      good: likeliest?.before?.commit ?? change.lastGood?.commit ?? null,
      bad: change.firstBad.commit,
      chances,
    };
  } finally {
    client.close();
  }
};
