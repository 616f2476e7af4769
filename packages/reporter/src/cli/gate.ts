import { setTimeout as delay } from 'node:timers/promises';
import type { RunComparison, RunDetails } from '@assay/contract';
import { isFlaky } from '@assay/contract/outcome';
import { type Client, type Reply, openClient } from '../http/client.ts';
import { type LastRun, readCheckout, readLastRun, whyOutdated } from '../last-run/last-run.ts';
import type { Options } from '../options/options.ts';
import { type BrokenRule, type Facts, type Rules, type Verdict, judge } from './gate-rules.ts';
import { SERVICE_FLAGS, UsageError, readArguments, readCommandOptions, readCount } from './read-arguments.ts';
import { EXIT, type Exit, type Terminal } from './terminal.ts';

const FLAGS = {
  ...SERVICE_FLAGS,
  project: { type: 'string' },
  run: { type: 'string' },
  'run-key': { type: 'string' },
  'max-failed': { type: 'string' },
  'max-new-failures': { type: 'string' },
  'max-flaky': { type: 'string' },
  wait: { type: 'string' },
  json: { type: 'boolean' },
} as const;

const LOOK_EVERY_MS = 2_000;
const SHOWN_TESTS = 20;

export const runGate = async (args: string[], { env, cwd, stdout }: Terminal): Promise<Exit> => {
  const { values, positionals } = readArguments(args, FLAGS);
  if (positionals.length > 0) throw new UsageError('takes no files; see assay gate --help');
  const given = { serverUrl: values.url, projectName: values.project, runKey: values['run-key'] };
  const options = readCommandOptions(given, env, { projectName: false });
  const rules = readRules(values);
  const waitMs = (readCount('wait', values.wait) ?? 0) * 1_000;
  const last = await readLastRun(options, cwd);
  const outdated = last && whyOutdated(last, await readCheckout(cwd, env));
  // Whoever may read needs no key, and a key that is sent is refused where only results are.
  const client = openClient(options.serverUrl, { kind: 'none' }, env);
  try {
    const until = Date.now() + waitMs;
    const signal = AbortSignal.timeout(waitMs + options.timeoutMs);
    const asked = values.run ?? (values['run-key'] === undefined ? env['ASSAY_RUN'] : undefined);
    const seen = await watch(() => look(client, options, asked, { last, outdated }, rules, signal), until);
    if (values.json) stdout.write(`${JSON.stringify(seen, null, 2)}\n`);
    else stdout.write(describe(seen, options.serverUrl));
    return seen.verdict.kind === 'pass' ? EXIT.good : seen.verdict.kind === 'broken' ? EXIT.bad : EXIT.unclear;
  } finally {
    client.close();
  }
};

interface SentBefore {
  readonly last: LastRun | null;
  /** Why that run is not the one to judge. */
  readonly outdated: string | null;
}

interface Seen {
  readonly runId: number | null;
  readonly verdict: Verdict;
}

const readRules = (values: {
  readonly 'max-failed'?: string | undefined;
  readonly 'max-new-failures'?: string | undefined;
  readonly 'max-flaky'?: string | undefined;
}): Rules => {
  const maxNewFailures = readCount('max-new-failures', values['max-new-failures']);
  return {
    // Who asks for new failures alone lives with old ones.
    maxFailed: readCount('max-failed', values['max-failed']) ?? (maxNewFailures === null ? 0 : null),
    maxNewFailures,
    maxFlaky: readCount('max-flaky', values['max-flaky']),
  };
};

const watch = async (lookOnce: () => Promise<Seen>, untilMs: number): Promise<Seen> => {
  for (;;) {
    const seen = await lookOnce();
    const mayChange = seen.verdict.kind === 'unclear' && seen.verdict.mayChange;
    if (!mayChange || Date.now() + LOOK_EVERY_MS > untilMs) return seen;
    await delay(LOOK_EVERY_MS);
  }
};

const look = async (
  client: Client,
  options: Options,
  asked: string | undefined,
  sent: SentBefore,
  rules: Rules,
  signal: AbortSignal,
): Promise<Seen> => {
  const found = await findRunId(client, options, asked, sent, signal);
  if (typeof found !== 'number') return { runId: null, verdict: { kind: 'unclear', ...found } };
  const facts = await readFacts(client, found, rules, signal);
  const verdict: Verdict = facts.ok
    ? judge(rules, facts.body)
    : { kind: 'unclear', why: facts.failure.why, mayChange: false };
  return { runId: found, verdict };
};

type NotFound = { readonly why: string; readonly mayChange: boolean };

const findRunId = async (
  client: Client,
  { projectName, runKey }: Options,
  asked: string | undefined,
  { last, outdated }: SentBefore,
  signal: AbortSignal,
): Promise<number | NotFound> => {
  if (asked) {
    const id = /^(?:https?:\/\/.*\/test-runs\/)?(\d{1,15})\/?$/.exec(asked.trim())?.[1];
    if (id === undefined) throw new UsageError(`--run must be the number or the address of a run, but is "${asked}"`);
    return Number(id);
  }
  const notStored = last && { why: `the last run was not stored: ${last.why}`, mayChange: false };
  if (runKey !== null) {
    if (runKey === last?.supersededKey && outdated === null) return notStored!;
    if (projectName === '') throw new UsageError('--run-key needs --project or ASSAY_PROJECT');
    const query = new URLSearchParams({ projectName, runKey });
    const path = `/api/run-keys?${query.toString()}`;
    const reply = await client.call<{ testRunId: number }>({ method: 'GET', path, signal });
    // The first shard may not have arrived yet.
    return reply.ok ? reply.body.testRunId : { why: reply.failure.why, mayChange: isMissing(reply) };
  }
  if (outdated !== null) {
    const why = `the last run sent from this folder is ${outdated}: pass --run or --run-key`;
    return { why, mayChange: false };
  }
  if (last?.runId) return last.runId;
  return notStored ?? { why: 'no run was sent from this folder: pass --run or --run-key', mayChange: false };
};

const isMissing = (reply: Reply<unknown>): boolean =>
  !reply.ok && reply.failure.kind === 'refused' && reply.failure.status === 404;

/** Only what the rules need: the cases of a large run are asked for when some of them are to be told. */
const readFacts = async (client: Client, id: number, rules: Rules, signal: AbortSignal): Promise<Reply<Facts>> => {
  const get = <T>(path: string): Promise<Reply<T>> => client.call<T>({ method: 'GET', path, signal });
  const run = await get<RunDetails>(`/api/test-runs/${id}?details=false&limit=1`);
  if (!run.ok) return run;
  const { failedTests, flakyTests } = run.body;
  let failures: RunComparison['failures'] = [];
  if (failedTests > 0) {
    const comparison = await get<RunComparison>(`/api/test-runs/${id}/comparison`);
    if (!comparison.ok) return comparison;
    ({ failures } = comparison.body);
  }
  let flaky: RunDetails['testCases'] = [];
  if (rules.maxFlaky !== null && flakyTests > rules.maxFlaky) {
    const whole = await get<RunDetails>(`/api/test-runs/${id}?details=false`);
    if (!whole.ok) return whole;
    flaky = whole.body.testCases.filter(({ status, retries }) => isFlaky(status, retries));
  }
  return { ok: true, body: { run: run.body, failures, flaky } };
};

const describe = ({ runId, verdict }: Seen, serverUrl: string): string => {
  const where = runId === null ? '' : ` ${serverUrl}/test-runs/${runId}`;
  if (verdict.kind === 'pass') return `assay gate: passed${where}\n`;
  if (verdict.kind === 'unclear') return `assay gate: inconclusive: ${verdict.why}${where}\n`;
  return [`assay gate: failed${where}`, ...verdict.broken.flatMap((rule) => describeRule(rule, serverUrl)), ''].join(
    '\n',
  );
};

const describeRule = ({ rule, tests }: BrokenRule, serverUrl: string): string[] => [
  `  ${rule}`,
  ...tests.slice(0, SHOWN_TESTS).map(({ title, browser, testCaseId }) => {
    const on = browser === null ? '' : ` [${browser}]`;
    return `    ${title}${on} ${serverUrl}/test-cases/${testCaseId}`;
  }),
  ...(tests.length > SHOWN_TESTS ? [`    and ${tests.length - SHOWN_TESTS} more`] : []),
];
