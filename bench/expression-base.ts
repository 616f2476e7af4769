import * as now from '@assay/expression';
import { percentile, printTable, times } from './figures.ts';

/** This library beside that of another commit, taking turns: `node bench/expression-base.ts <index.ts> <name>` */

type Library = typeof now;

const [path, name = 'another commit'] = process.argv.slice(2);
const before = (await import(path!)) as Library;

const TEXT =
  "t => t.status === 'failed' && t.retries > 0 && t.title.toLowerCase().includes('login') && t.duration / 1000 >= 2.5";
const rows = Array.from({ length: 1000 }, (_, i) => ({
  status: i % 3 ? 'failed' : 'passed',
  retries: i % 4,
  title: `${i % 5 ? 'Login' : 'Cart'} works ${i}`,
  duration: (i * 7919) % 8000,
}));

const operationsOf = (library: Library): Record<string, () => unknown> => {
  const read = library.parseText(TEXT);
  if (!read.ok) throw new Error(JSON.stringify(read.issues));
  const { tree } = read;
  const envelope = JSON.parse(JSON.stringify(library.serialize(tree))) as unknown;
  const json = library.canonical(tree);
  const over = (test: now.Compiled) => () => rows.filter((t) => test({ t })).length;
  const repeated = (work: () => unknown) => () => {
    for (let i = 0; i < 100; i++) work();
  };
  return {
    'Generated code, plain rows': over(library.compile(tree, { mode: 'code', data: 'plain' })),
    'Closures, plain rows': over(library.compile(tree, { mode: 'closure', data: 'plain' })),
    'Closures, any rows': over(library.compile(tree, { mode: 'closure', data: 'any' })),
    'Validation of a value': repeated(() => library.isEnvelope(envelope)),
    'Reading a text of JSON': repeated(() => library.parseEnvelope(json)),
    'Parsing the predicate': repeated(() => library.parseText(TEXT)),
    'Printing the predicate': repeated(() => library.print(tree)),
  };
};

const ROUNDS = 400;
const libraries = [operationsOf(before), operationsOf(now)];

const ratioOf = (what: string): number => {
  const samples = libraries.map(() => [] as number[]);
  for (let round = -100; round < ROUNDS; round++)
    for (const [i, operations] of libraries.entries()) {
      const start = performance.now();
      operations[what]!();
      if (round >= 0) samples[i]!.push(performance.now() - start);
    }
  const [old, current] = samples.map((values) => percentile(values, 50));
  return current! / old!;
};

printTable(
  `The expression library beside ${name}`,
  Object.keys(libraries[1]!).map((what) => ({ what, measured: times(ratioOf(what)) })),
);
