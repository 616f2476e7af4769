/** What filters, rules and policies really are: in our language, as native code, and in those of other libraries. */

export interface Step {
  readonly name: string;
  readonly ok: boolean;
  readonly ms: number;
}

export interface Row {
  readonly id: number;
  readonly title: string;
  readonly file: string;
  readonly branch: string;
  readonly status: string;
  readonly retries: number | null;
  readonly duration: number;
  readonly expected: number;
  readonly flaky: boolean;
  readonly locked: boolean;
  readonly role: string;
  readonly orgId: number;
  readonly sha: string;
  readonly tags: readonly string[];
  readonly steps: readonly Step[];
  readonly owner: { readonly team: string; readonly lead?: { readonly name: string } } | null;
  readonly meta: { readonly browser: string; readonly os: string };
}

export interface Scope {
  readonly viewer: { readonly orgId: number };
  readonly since: number;
}

export const SCOPE: Scope = { viewer: { orgId: 3 }, since: 4000 };

export interface Predicate {
  readonly text: string;
  readonly native: (t: Row, scope: Scope) => unknown;
  readonly logic?: unknown;
  readonly cel?: string;
  readonly filtrex?: string;
  readonly jexl?: string;
}

const of = (name: string): { readonly var: string } => ({ var: `t.${name}` });

export const PREDICATES: readonly Predicate[] = [
  {
    text: "t => t.status === 'failed'",
    native: (t) => t.status === 'failed',
    logic: { '===': [of('status'), 'failed'] },
    cel: 't.status == "failed"',
    filtrex: 'status == "failed"',
    jexl: "t.status == 'failed'",
  },
  {
    text: "t => t.status of ['failed', 'flaky']",
    native: (t) => ['failed', 'flaky'].includes(t.status),
    logic: { in: [of('status'), ['failed', 'flaky']] },
    cel: 't.status in ["failed", "flaky"]',
    filtrex: 'status in ("failed", "flaky")',
    jexl: "t.status in ['failed', 'flaky']",
  },
  {
    text: "t => !['passed', 'skipped', 'flaky'].includes(t.status)",
    native: (t) => !['passed', 'skipped', 'flaky'].includes(t.status),
    logic: { '!': { in: [of('status'), ['passed', 'skipped', 'flaky']] } },
    cel: '!(t.status in ["passed", "skipped", "flaky"])',
    filtrex: 'status not in ("passed", "skipped", "flaky")',
    jexl: "!(t.status in ['passed', 'skipped', 'flaky'])",
  },
  {
    text: 't => t.duration >= 1000 && t.duration < 5000',
    native: (t) => t.duration >= 1000 && t.duration < 5000,
    logic: { and: [{ '>=': [of('duration'), 1000] }, { '<': [of('duration'), 5000] }] },
    cel: 't.duration >= 1000 && t.duration < 5000',
    filtrex: 'duration >= 1000 and duration < 5000',
    jexl: 't.duration >= 1000 && t.duration < 5000',
  },
  {
    text: 't => !t.flaky && !t.locked',
    native: (t) => !t.flaky && !t.locked,
    logic: { and: [{ '!': of('flaky') }, { '!': of('locked') }] },
    cel: '!t.flaky && !t.locked',
    jexl: '!t.flaky && !t.locked',
  },
  {
    text: "t => t.tags.includes('slow')",
    native: (t) => t.tags.includes('slow'),
    logic: { in: ['slow', of('tags')] },
    cel: '"slow" in t.tags',
    jexl: "'slow' in t.tags",
  },
  {
    text: 't => t.tags.length > 2',
    native: (t) => t.tags.length > 2,
    logic: { '>': [{ length: of('tags') }, 2] },
    cel: 'size(t.tags) > 2',
    jexl: '(t.tags|size) > 2',
  },
  {
    text: "t => t.tags[0] === 'smoke'",
    native: (t) => t.tags[0] === 'smoke',
    logic: { '===': [of('tags.0'), 'smoke'] },
    cel: 'size(t.tags) > 0 && t.tags[0] == "smoke"',
    jexl: "t.tags[0] == 'smoke'",
  },
  {
    text: "t => t.tags.some(tag => tag.startsWith('team:'))",
    native: (t) => t.tags.some((tag) => tag.startsWith('team:')),
    logic: { some: [of('tags'), { starts: [{ var: '' }, 'team:'] }] },
    cel: 't.tags.exists(tag, tag.startsWith("team:"))',
  },
  {
    text: 't => t.steps.every(step => step.ok)',
    native: (t) => t.steps.every((step) => step.ok),
    logic: { '!': { some: [of('steps'), { '!': { var: 'ok' } }] } },
    cel: 't.steps.all(step, step.ok)',
  },
  {
    text: 't => t.steps.filter(step => !step.ok).length > 1',
    native: (t) => t.steps.filter((step) => !step.ok).length > 1,
    logic: { '>': [{ length: { filter: [of('steps'), { '!': { var: 'ok' } }] } }, 1] },
    cel: 'size(t.steps.filter(step, !step.ok)) > 1',
    jexl: '(t.steps[!.ok]|size) > 1',
  },
  {
    text: "t => t.steps.find(step => step.ms > 100)?.name === 'click'",
    native: (t) => t.steps.find((step) => step.ms > 100)?.name === 'click',
  },
  {
    text: 't => t.steps.reduce((sum, step) => sum + step.ms, 0) > 300',
    native: (t) => t.steps.reduce((sum, step) => sum + step.ms, 0) > 300,
    logic: {
      '>': [{ reduce: [of('steps'), { '+': [{ var: 'accumulator' }, { var: 'current.ms' }] }, 0] }, 300],
    },
  },
  {
    text: "t => t.title.toLowerCase().includes('login')",
    native: (t) => t.title.toLowerCase().includes('login'),
    logic: { in: ['login', { lower: [of('title')] }] },
    cel: 't.title.lowerAscii().contains("login")',
    filtrex: 'holds(lower(title), "login")',
    jexl: "'login' in (t.title|lower)",
  },
  {
    text: "t => t.file.startsWith('e2e/') && t.file.endsWith('.spec.ts')",
    native: (t) => t.file.startsWith('e2e/') && t.file.endsWith('.spec.ts'),
    logic: { and: [{ starts: [of('file'), 'e2e/'] }, { ends: [of('file'), '.spec.ts'] }] },
    cel: 't.file.startsWith("e2e/") && t.file.endsWith(".spec.ts")',
    filtrex: 'starts(file, "e2e/") and ends(file, ".spec.ts")',
    jexl: "(t.file|starts('e2e/')) && (t.file|ends('.spec.ts'))",
  },
  {
    text: "t => t.sha.slice(0, 2) === 'a7'",
    native: (t) => t.sha.slice(0, 2) === 'a7',
    logic: { '===': [{ substr: [of('sha'), 0, 2] }, 'a7'] },
    cel: 't.sha.substring(0, 2) == "a7"',
    filtrex: 'cut(sha, 0, 2) == "a7"',
    jexl: "(t.sha|cut(0, 2)) == 'a7'",
  },
  {
    text: "t => t.branch.split('/')[0] === 'release'",
    native: (t) => t.branch.split('/')[0] === 'release',
    cel: 't.branch.split("/")[0] == "release"',
    jexl: "(t.branch|split('/')|first) == 'release'",
  },
  {
    text: "t => t.owner?.team === 'web'",
    native: (t) => t.owner?.team === 'web',
    logic: { '===': [of('owner.team'), 'web'] },
    jexl: "t.owner.team == 'web'",
  },
  {
    text: "t => t.owner?.lead?.name === 'Ann'",
    native: (t) => t.owner?.lead?.name === 'Ann',
    logic: { '===': [of('owner.lead.name'), 'Ann'] },
    jexl: "t.owner.lead.name == 'Ann'",
  },
  {
    text: 't => (t.retries ?? 0) > 0',
    native: (t) => (t.retries ?? 0) > 0,
    logic: { '>': [{ '??': [of('retries'), 0] }, 0] },
    jexl: '(t.retries || 0) > 0',
  },
  {
    text: 't => Math.abs(t.duration - t.expected) > 500',
    native: (t) => Math.abs(t.duration - t.expected) > 500,
    logic: { '>': [{ abs: [{ '-': [of('duration'), of('expected')] }] }, 500] },
    cel: 'abs(t.duration - t.expected) > 500.0',
    filtrex: 'abs(duration - expected) > 500',
    jexl: '(t.duration - t.expected)|abs > 500',
  },
  {
    text: 't => (t.flaky ? t.duration * 2 : t.duration) > 3000',
    native: (t) => (t.flaky ? t.duration * 2 : t.duration) > 3000,
    logic: { '>': [{ if: [of('flaky'), { '*': [of('duration'), 2] }, of('duration')] }, 3000] },
    cel: '(t.flaky ? t.duration * 2.0 : t.duration) > 3000.0',
    jexl: '(t.flaky ? t.duration * 2 : t.duration) > 3000',
  },
  {
    text: "t => `${t.meta.browser}/${t.meta.os}` === 'webkit/linux'",
    native: (t) => `${t.meta.browser}/${t.meta.os}` === 'webkit/linux',
    logic: { '===': [{ cat: [of('meta.browser'), '/', of('meta.os')] }, 'webkit/linux'] },
    cel: 't.meta.browser + "/" + t.meta.os == "webkit/linux"',
    jexl: "t.meta.browser + '/' + t.meta.os == 'webkit/linux'",
  },
  {
    text: "t => t.role === 'admin' || t.orgId === @viewer.orgId && !t.locked",
    native: (t, scope) => t.role === 'admin' || (t.orgId === scope.viewer.orgId && !t.locked),
    logic: {
      or: [
        { '===': [of('role'), 'admin'] },
        { and: [{ '===': [of('orgId'), { var: 'viewer.orgId' }] }, { '!': of('locked') }] },
      ],
    },
    cel: 't.role == "admin" || t.orgId == viewer.orgId && !t.locked',
    jexl: "t.role == 'admin' || (t.orgId == viewer.orgId && !t.locked)",
  },
  {
    text: 't => t.duration > @since',
    native: (t, scope) => t.duration > scope.since,
    logic: { '>': [of('duration'), { var: 'since' }] },
    cel: 't.duration > since',
    jexl: 't.duration > since',
  },
  {
    text: "t => ({ id: t.id, level: t.duration > 1000 ? 'slow' : 'quick' })",
    native: (t) => ({ id: t.id, level: t.duration > 1000 ? 'slow' : 'quick' }),
    jexl: "{ id: t.id, level: t.duration > 1000 ? 'slow' : 'quick' }",
  },
  {
    text: "t => t.status === 'failed' && t.duration > 0 && t.title.toLowerCase().includes('login') && t.duration / 1000 >= 2.5",
    native: (t) =>
      t.status === 'failed' && t.duration > 0 && t.title.toLowerCase().includes('login') && t.duration / 1000 >= 2.5,
    logic: {
      and: [
        { '===': [of('status'), 'failed'] },
        { '>': [of('duration'), 0] },
        { in: ['login', { lower: [of('title')] }] },
        { '>=': [{ '/': [of('duration'), 1000] }, 2.5] },
      ],
    },
    cel: 't.status == "failed" && t.duration > 0 && t.title.lowerAscii().contains("login") && t.duration / 1000.0 >= 2.5',
    filtrex: 'status == "failed" and duration > 0 and holds(lower(title), "login") and duration / 1000 >= 2.5',
    jexl: "t.status == 'failed' && t.duration > 0 && 'login' in (t.title|lower) && t.duration / 1000 >= 2.5",
  },
];

/** Data as in life: some fields are null, lists differ in length, nothing repeats exactly. */
export const makeRows = (count: number): Row[] => {
  let state = 7;
  const random = (): number => (state = (state * 1_103_515_245 + 12_345) & 0x7fffffff) / 0x7fffffff;
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const list = <Item>(most: number, make: () => Item): Item[] =>
    Array.from({ length: Math.floor(random() * (most + 1)) }, make);
  return Array.from({ length: count }, (_, id) => ({
    id,
    title: `Checkout ${pick(['Login', 'cart', 'payment'])} page works ${id}`,
    file: `${pick(['e2e', 'unit', 'api'])}/checkout/${pick(['login', 'cart'])}-${id % 97}.${pick(['spec', 'test'])}.ts`,
    branch: pick(['main', 'release/2.1', `feature/login-${id % 13}`]),
    status: pick(['passed', 'failed', 'flaky', 'skipped']),
    retries: random() < 0.5 ? null : Math.floor(random() * 3),
    duration: random() * 8000,
    expected: random() * 8000,
    flaky: random() < 0.2,
    locked: random() < 0.3,
    role: pick(['admin', 'member', 'viewer']),
    orgId: Math.floor(random() * 6),
    sha: Math.floor(random() * 0xffffffff)
      .toString(16)
      .padStart(8, 'a7'),
    tags: list(5, () => pick(['slow', 'smoke', 'team:web', 'team:api', 'nightly'])),
    steps: list(6, () => ({ name: pick(['click', 'fill', 'goto']), ok: random() < 0.8, ms: random() * 150 })),
    owner:
      random() < 0.3
        ? null
        : { team: pick(['web', 'api']), ...(random() < 0.5 && { lead: { name: pick(['Ann', 'Bo']) } }) },
    meta: { browser: pick(['webkit', 'chromium']), os: pick(['linux', 'mac']) },
  }));
};

const withoutPrototype = (row: Row): Row => Object.assign(Object.create(null) as object, row);

/** As another query would give it: fields in another order, and one more. */
const reordered = (row: Row): Row =>
  ({ extra: 1, ...Object.fromEntries(Object.entries(row).toReversed()) }) as unknown as Row;

export const SHAPES: Readonly<Record<string, (row: Row, index: number) => Row>> = {
  plain: (row) => row,
  'no prototype': withoutPrototype,
  mixed: (row, index) => [row, withoutPrototype(row), reordered(row)][index % 3]!,
};
