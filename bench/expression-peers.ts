import { Environment } from '@marcbachmann/cel-js';
import { compileExpression } from 'filtrex';
import jexl from 'jexl';
import { LogicEngine } from 'json-logic-engine';
import { type Predicate, type Row, SCOPE } from './expression-predicates.ts';

type Test = (t: Row) => unknown;

const lower = (text: string): string => text.toLowerCase();
const holds = (text: string, part: string): boolean => text.includes(part);
const starts = (text: string, part: string): boolean => text.startsWith(part);
const ends = (text: string, part: string): boolean => text.endsWith(part);
const cut = (text: string, from: number, to: number): string => text.slice(from, to);
const split = (text: string, by: string): string[] => text.split(by);
const first = (list: readonly unknown[]): unknown => list[0];
const size = (list: readonly unknown[]): number => list.length;
const { abs } = Math;

const logic = new LogicEngine();
for (const [name, call] of Object.entries({ lower, starts, ends, abs }))
  logic.addMethod(name, (args: never[]) => (call as (...given: never[]) => unknown)(...args), { deterministic: true });

const cel = new Environment()
  .registerVariable('t', 'map')
  .registerVariable('viewer', 'map')
  .registerVariable('since', 'double')
  .registerFunction('abs(double): double', abs);

const Jexl = new jexl.Jexl();
for (const [name, call] of Object.entries({ lower, starts, ends, cut, split, first, size, abs }))
  Jexl.addTransform(name, call);

/** Each compiled as its documentation says; what a language has no words for is left out. */
export const PEERS: Readonly<Record<string, (predicate: Predicate) => Test | undefined>> = {
  'json-logic-engine': ({ logic: rule }) => {
    if (rule === undefined) return undefined;
    const test = logic.build(rule) as (data: unknown) => unknown;
    return (t) => test({ t, ...SCOPE });
  },
  'cel-js': ({ cel: text }) => {
    if (text === undefined) return undefined;
    const test = cel.parse(text);
    return (t) => test({ t, ...SCOPE });
  },
  filtrex: ({ filtrex: text }) => {
    if (text === undefined) return undefined;
    return compileExpression(text, { extraFunctions: { lower, holds, starts, ends, cut } }) as Test;
  },
  jexl: ({ jexl: text }) => {
    if (text === undefined) return undefined;
    const test = Jexl.compile(text);
    return (t) => test.evalSync({ t, ...SCOPE }) as unknown;
  },
};
