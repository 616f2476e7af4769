import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const run = (options: readonly string[], ...command: string[]): { code: number | null; output: string } => {
  const runner = [file('../src/run.ts'), ...options, '--', ...command];
  const { status, stdout, stderr } = spawnSync(process.execPath, runner, { encoding: 'utf8' });
  return { code: status, output: stdout + stderr };
};

/** The numbers of the table: passed, failed and skipped of each file, over its levels. */
const tallies = (output: string): Record<string, number[]> => {
  const rows = [...output.matchAll(/^(\w+) +(?:shape|meaning) +(\d+) +(\d+) +(\d+)$/gm)];
  const sums: Record<string, number[]> = {};
  for (const [, name, ...numbers] of rows) {
    sums[name!] = numbers.map((text, i) => Number(text) + (sums[name!]?.[i] ?? 0));
  }
  return sums;
};

const serve = [process.execPath, file('../src/serve.ts')];

test('this library passes every vector', () => {
  const { code, output } = run([], ...serve);
  expect(output).not.toContain('expected');
  const sums = tallies(output);
  for (const name of ['shape', 'refusal', 'constants', 'meaning', 'text', 'sql']) {
    const path = file(`../vectors/${name}.json`);
    const vectors = JSON.parse(readFileSync(path, 'utf8')) as readonly { input?: unknown }[];
    const asked = vectors.reduce((sum, vector) => sum + ('input' in vector ? 2 : 1), 0);
    expect(sums[name], name).toEqual([asked, 0, 0]);
  }
  expect(code).toBe(0);
});

test('an implementation that is wrong in one thing fails with the vectors that show it', () => {
  const { code, output } = run([], process.execPath, file('almost-right.ts'));
  const { meaning, ...others } = tallies(output);
  expect(meaning![1]).toBeGreaterThan(20);
  expect(Object.values(others).every(([passed, failed]) => passed! > 0 && failed === 0)).toBe(true);
  expect(output).toMatch(/^meaning: .+\n +expected \{"value":true\}\n +given \{"value":false\}$/m);
  expect(code).toBe(1);
});

test('what is skipped is no failure, but nothing passed is', () => {
  const skip = `require('node:readline').createInterface(process.stdin).on('line', (line) =>
    console.log(JSON.stringify({ id: JSON.parse(line).id, skipped: true })))`;
  const { code, output } = run(['--only', 'print,meaning'], process.execPath, '-e', skip);
  expect(tallies(output)).toEqual({ meaning: [0, 0, expect.any(Number)] });
  expect(code).toBe(1);
});

test.each([
  ['that cannot be started', '60', ['./no-such-command'], 'ENOENT'],
  ['that ends at once', '60', [process.execPath, '-e', '0'], 'no answer'],
  ['that writes something else', '60', [process.execPath, '-e', 'console.log("ready")'], 'Not an answer: ready'],
  ['that never answers', '0.5', [process.execPath, '-e', 'setInterval(() => {}, 1000)'], 'No answer for 0.5 s'],
])('a command %s fails and is told', (_, seconds, command, message) => {
  const { code, output } = run(['--timeout', seconds, '--show', '1'], ...command);
  expect(output).toContain(message);
  expect(code).toBe(1);
});

test('refusals under other codes pass when codes do not count', () => {
  const renamed = `require('node:readline').createInterface(process.stdin).on('line', (line) => {
    const { id, v } = JSON.parse(line);
    console.log(JSON.stringify({ id, ok: false, issues: [{ code: 'no', path: '' }] }));
  })`;
  const { output } = run(['--only', 'refusal', '--any-code'], process.execPath, '-e', renamed);
  expect(tallies(output)['refusal']![1]).toBe(0);
  const strict = run(['--only', 'refusal'], process.execPath, '-e', renamed);
  expect(tallies(strict.output)['refusal']![0]).toBe(0);
});
