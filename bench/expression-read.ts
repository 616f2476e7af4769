/** What reading a tree of 1,000 nodes costs, beside ajv with the published schema. `node bench/expression-read.ts` */
import { build, canonical, type Node, parseEnvelope, serialize } from '@assay/expression';
import { compileSchema } from '../packages/expression/test/compiled-schema.ts';
import { type Row, percentile, printTable } from './figures.ts';

const ajv = compileSchema('v1.strict');

/** A predicate as people write them, until it has 1,000 nodes. */
function thousandNodes(): Node {
  const field = (name: string) => build.member(build.param('t'), name);
  const test = (i: number): Node => {
    const status = build.binary('===', field('status'), build.constant(`failed${i}`));
    const login = build.call(build.member(field('title'), 'includes'), [build.constant('login')]);
    return build.logical('||', status, build.unary('!', login));
  };
  let tree = test(0);
  for (let i = 1; i < 83; i++) tree = i % 2 ? build.logical('&&', tree, test(i)) : build.logical('&&', test(i), tree);
  return build.lambda(['t'], tree);
}

const tree = thousandNodes();
const text = canonical(tree);
const nodes = text.split('"kind"').length - 1;
const value: unknown = JSON.parse(JSON.stringify(serialize(tree)));

const candidates: readonly (readonly [string, () => boolean])[] = [
  ['ajv, strict schema', () => ajv(value)],
  ['parseEnvelope(value)', () => parseEnvelope(value).ok],
  ['parseEnvelope(text)', () => parseEnvelope(text).ok],
  ['JSON.parse(text)', () => typeof JSON.parse(text) === 'object'],
  ['JSON.parse + ajv', () => ajv(JSON.parse(text))],
];

/** The candidates take turns, so that whatever else the machine does hits all alike. */
const samples = new Map(candidates.map(([name]) => [name, [] as number[]]));
for (let round = 0; round < 60; round++) {
  for (const [name, run] of candidates) {
    if (!run()) throw new Error(`${name} refuses the tree`);
    const start = process.hrtime.bigint();
    for (let i = 0; i < 50; i++) run();
    if (round >= 10) samples.get(name)!.push(Number(process.hrtime.bigint() - start) / 50 / nodes);
  }
}
const median = (name: string): number => percentile(samples.get(name)!, 50);
const rows = candidates.map(([what]): Row => ({ what, measured: `${median(what).toFixed(1)} ns a node` }));
printTable(`Reading a tree of ${nodes} nodes, ${text.length} bytes`, rows);
