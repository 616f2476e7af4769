import type { Test } from './catalogue.ts';
import { buildIncident } from './incidents.ts';
import type { Incident } from './incidents.ts';
import { shuffled } from './random.ts';
import type { Random } from './random.ts';
import type { Temperament } from './temperament.ts';
import { hex, kebab } from './tokens.ts';

/** What CI knows about the code that a run tested. */
export interface Commit {
  readonly branch: string;
  readonly commit: string;
  readonly author: string;
  readonly message: string;
  readonly pullRequest?: number;
}

export interface Branch {
  readonly name: string;
  readonly author: string | null;
  readonly pullRequest: number | null;
  /** What this branch alone has broken. */
  readonly breakage: Incident | null;
}

export const MAIN: Branch = { name: 'main', author: null, pullRequest: null, breakage: null };

const MAIN_SHARE = 0.7;
const BRANCH_SPAN = 16;
const BRANCHES_PER_SPAN = 3;

const PEOPLE = [
  'Amara Okafor',
  'Björn Lindqvist',
  'Chen Wei',
  'Dolores Fuentes',
  'Elif Yılmaz',
  'Fatima Zahra',
  'Giulia Ricci',
  'Hannah Schäfer',
  'Ivan Petrov',
  'José Álvarez',
  'Katarzyna Nowak',
  'Lena Hoffmann',
  'Mateo Silva',
  'Noor Haddad',
  'Priya Raman',
  'renovate[bot]',
];

const CHANGES = [
  'add a missing translation',
  'bump dependencies',
  'cache the lookup',
  'drop the old flag',
  'handle an empty answer',
  'keep the focus where it was',
  'log less',
  'move to the new client',
  'remove dead code',
  'rename for clarity',
  'retry on 503',
  'show why it was refused',
  'simplify the state',
  'speed up the first load',
  'use the shared date format',
  'validate before sending',
];

const TOPICS = ['rework', 'cleanup', 'v2', 'hotfix', 'telemetry', 'limits', 'copy', 'cache', 'rollout', 'edge-cases'];

const team = (root: Random): string[] => shuffled(root.fork('team'), PEOPLE).slice(0, 6);

/** The branch that run n tests: main, or one of a few that live at the time. */
export const branchAt = (
  root: Random,
  n: number,
  temperament: Temperament,
  pickTest: (random: Random) => Test,
): Branch => {
  const draw = root.fork('branch').fork(n);
  if (draw.chance(MAIN_SHARE)) return MAIN;
  const span = Math.floor(n / BRANCH_SPAN);
  const ordinal = span * BRANCHES_PER_SPAN + draw.integer(0, BRANCHES_PER_SPAN - 1);
  const random = root.fork('branches').fork(ordinal);
  const feature = pickTest(random).file.feature;
  const kind = random.pick(['feat', 'feat', 'fix', 'chore']);
  const until = span * BRANCH_SPAN + random.integer(6, BRANCH_SPAN - 1);
  return {
    name: `${kind}/${kebab(feature)}-${random.pick(TOPICS)}`,
    author: random.pick(team(root)),
    pullRequest: 400 + ordinal,
    breakage:
      random.chance(temperament.branchBreakages) && n < until
        ? buildIncident(`branch-${ordinal}`, 0, until, random, pickTest, [0.6, 0.05])
        : null,
  };
};

export const commitAt = (
  root: Random,
  n: number,
  branch: Branch,
  repairedFeature: string | null,
  pickTest: (random: Random) => Test,
): Commit => {
  const random = root.fork('commit').fork(n);
  const scope = kebab(repairedFeature ?? pickTest(random).file.feature);
  const kind = repairedFeature === null ? random.pick(['feat', 'feat', 'fix', 'refactor', 'chore', 'perf']) : 'fix';
  const change = repairedFeature === null ? random.pick(CHANGES) : 'repair what the last change broke';
  return {
    branch: branch.name,
    commit: hex(random, 40),
    author: branch.author ?? random.pick(team(root)),
    message: `${kind}(${scope}): ${change}`,
    ...(branch.pullRequest === null ? {} : { pullRequest: branch.pullRequest }),
  };
};

export interface CiLink {
  readonly provider: string;
  readonly job: string;
  readonly url: string;
}

export const ciLinkAt = (root: Random, n: number, repository: string): CiLink => {
  const project = root.fork('ci');
  const job = project.pick(['e2e', 'tests', 'integration', 'acceptance']);
  const run = project.integer(4_000_000, 9_000_000) + n * 37;
  switch (project.integer(0, 2)) {
    case 0:
      return { provider: 'GitLab CI', job, url: `https://gitlab.example.com/acme/${repository}/-/jobs/${run}` };
    case 1:
      return { provider: 'Jenkins', job, url: `https://ci.example.com/job/${repository}/job/${job}/${run % 10_000}/` };
    default:
      return { provider: 'GitHub Actions', job, url: `https://github.com/acme/${repository}/actions/runs/1${run}` };
  }
};
