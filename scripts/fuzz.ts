import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { costProperty } from '../packages/expression/test/fuzz/cost.ts';
import { databaseProperty } from '../packages/expression/test/fuzz/databases.ts';
import { MEMORY_PROPERTIES } from '../packages/expression/test/fuzz/properties.ts';
import type { FuzzProperty } from '../packages/expression/test/fuzz/property.ts';
import { startPostgres } from '../packages/testkit/src/postgres/connect.ts';

const HELP = `npm run fuzz -- [options]        random trees, rows and texts against the expression library

  --cases N    stop after so many cases           (1000000)
  --minutes N  stop after so long instead
  --only NAMES only these, separated by commas
  --seed N     the first seed                      (by chance)
  --batch N    runs for each seed                  (1000)

What fails is printed with its seed: run it again by --only NAME --seed N --cases 1.
`;

const { values: options } = parseArgs({
  options: {
    cases: { type: 'string' },
    minutes: { type: 'string' },
    only: { type: 'string' },
    seed: { type: 'string' },
    batch: { type: 'string', default: '1000' },
    help: { type: 'boolean', default: false },
  },
});

const number = (name: 'cases' | 'minutes' | 'seed' | 'batch', missing: number): number => {
  const value = options[name] === undefined ? missing : Number(options[name].replaceAll('_', ''));
  if (!(value >= 0)) throw new Error(`--${name} is a number`);
  return value;
};

interface Tally {
  readonly property: FuzzProperty;
  cases: number;
  ms: number;
  failure?: string;
}

let stopped = false;

const progress = (text: string): void => {
  process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}` : `${text}\n`);
};

const count = (cases: number): string => cases.toLocaleString('en');

/** The properties take turns, so that all have had their share whenever it ends. */
const fuzz = async (properties: readonly FuzzProperty[]): Promise<boolean> => {
  const minutes = number('minutes', Infinity);
  const wanted = options.cases === undefined && options.minutes !== undefined ? Infinity : number('cases', 1_000_000);
  const batch = number('batch', 1_000);
  let seed = number('seed', Date.now() % 2 ** 31);
  const started = performance.now();
  const tallies: Tally[] = properties.map((property) => ({ property, cases: 0, ms: 0 }));
  console.log(`First seed ${seed}, ${batch} runs for each seed`);
  let told = 0;
  for (;;) {
    const elapsed = performance.now() - started;
    const total = tallies.reduce((sum, { cases }) => sum + cases, 0);
    if (elapsed - told > (process.stderr.isTTY ? 500 : 15_000)) {
      progress(`${Math.round(elapsed / 1000)} s, ${count(total)} cases, seed ${seed}`);
      told = elapsed;
    }
    const open = tallies.filter(({ failure }) => failure === undefined);
    if (total >= wanted || elapsed >= minutes * 60_000 || open.length === 0 || stopped) break;
    const next = open.reduce((least, tally) => (tally.ms < least.ms ? tally : least));
    const start = performance.now();
    const { cases, failure } = await next.property.try(seed, batch);
    next.ms += performance.now() - start;
    next.cases += cases;
    if (failure !== undefined) {
      next.failure = failure;
      console.log(`\n${next.property.name} fails with --only ${next.property.name} --seed ${seed}:\n${failure}\n`);
    }
    seed++;
  }
  if (process.stderr.isTTY) progress('');
  for (const { property, cases, ms, failure } of tallies)
    console.log(
      `${failure === undefined ? 'holds' : 'FAILS'}  ${property.name.padEnd(9)} ${count(cases).padStart(12)} cases  ${(ms / 1000).toFixed(0).padStart(5)} s  ${property.what}`,
    );
  console.log(
    `${count(tallies.reduce((sum, { cases }) => sum + cases, 0))} cases in ${((performance.now() - started) / 1000).toFixed(0)} s`,
  );
  return tallies.every(({ failure }) => failure === undefined);
};

const main = async (): Promise<boolean> => {
  const names = options.only?.split(',');
  const isWanted = (name: string): boolean => names === undefined || names.includes(name);
  const folder = mkdtempSync(join(tmpdir(), 'assay-fuzz-'));
  process.once('SIGINT', () => (stopped = true));
  try {
    const properties = [...MEMORY_PROPERTIES, costProperty()].filter(({ name }) => isWanted(name));
    if (isWanted('sqlite')) properties.push(databaseProperty('sqlite'));
    if (isWanted('postgres')) properties.push(databaseProperty('postgres', await startPostgres(folder, process.pid)));
    if (properties.length === 0) throw new Error(`No property of that name: ${options.only}`);
    return await fuzz(properties);
  } finally {
    // The database ends with its folder.
    rmSync(folder, { recursive: true, force: true });
  }
};

if (options.help) console.log(HELP);
else process.exitCode = (await main()) ? 0 : 1;
