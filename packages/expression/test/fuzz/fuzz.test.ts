import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzProperty } from './property.ts';

const fuzz = (...options: string[]): { code: number | null; output: string } => {
  const program = fileURLToPath(new URL('../../../../scripts/fuzz.ts', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...options], { encoding: 'utf8' });
  return { code: status, output: stdout + stderr };
};

test('npm run fuzz tries every property and tells the seed', () => {
  const { code, output } = fuzz('--cases', '600', '--batch', '5', '--seed', '20');
  expect(output).toContain('First seed 20');
  const cases = [...output.matchAll(/^holds {2}(\S+) +([\d,]+) cases/gm)].map(([, name, count]) => [
    name,
    Number(count!.replaceAll(',', '')) > 0,
  ]);
  const names = ['engines', 'simplify', 'wire', 'text', 'any-text', 'readers', 'cost', 'sqlite', 'postgres'];
  expect(cases).toEqual(names.map((name) => [name, true]));
  expect(code).toBe(0);
});

test('a property of another name is refused', () => {
  const { code, output } = fuzz('--only', 'sqlight');
  expect(output).toContain('No property of that name: sqlight');
  expect(code).toBe(1);
});

test('what fails is told with the smallest input and the reason, and again with the same seed', async () => {
  const small = fuzzProperty('small', 'numbers are small', fc.nat(), (number) => {
    if (number > 10) throw new Error(`${number} is not small`);
  });
  const { failure } = await small.try(7, 100);
  expect(failure).toContain('Counterexample: [11]');
  expect(failure).toContain('11 is not small');
  expect((await small.try(7, 100)).failure).toBe(failure);
  const fine = await fuzzProperty('fine', 'numbers are numbers', fc.nat(), () => {}).try(7, 100);
  expect(fine).toEqual({ cases: 100, failure: undefined });
});
