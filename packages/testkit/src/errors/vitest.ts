import { fillPath, hex, kebab } from '../tokens.ts';
import { caretAt, codeFrame, cyan, dim, green, grey, red, yellow } from './failure.ts';
import type { FailureKind, Site, WriteError } from './failure.ts';

const at = (path: string, line: number, column: number): string => cyan(` ❯ ${path}:${dim(`${line}:${column}`)}`);

const inTest = (site: Site, statement: string, method: string): string => {
  const caret = caretAt(statement, method);
  const job = kebab(site.feature).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const line = site.line + 4;
  const code = [`    const result = await ${job}(fixture);`, '', `>    ${statement}`, '  });'];
  return `${at(site.path, line, caret + 5)}\n${codeFrame(line - 2, code, caret + 4)}`;
};

const difference = (expected: string, received: string): string =>
  `${green('- Expected')}\n${red('+ Received')}\n\n${green(`- ${expected}`)}\n${red(`+ ${received}`)}\n`;

const assertion: WriteError = (stable, varying, site) => {
  const expected = stable.integer(200, 9_000);
  const received = expected - varying.integer(1, 40);
  return `AssertionError: expected ${received} to be ${expected} // Object.is equality

${difference(String(expected), String(received))}
${inTest(site, `expect(result.rows).toBe(${yellow(String(expected))});`, 'toBe')}`;
};

const missing: WriteError = (stable, _, site) => {
  const field = stable.pick(site.domain.fields);
  return `TypeError: Cannot read properties of undefined (reading '${field}')
${at(`packages/${kebab(site.area)}/src/run-job.ts`, 73, 31)}
${codeFrame(72, ['  const batch = batches.get(key);', `>  const value = batch.${field};`, '  return value;'], 22)}
${at(site.path, site.line + 4, 20)}`;
};

const server: WriteError = (stable, varying, site) => {
  const code = stable.pick([60, 81, 241]);
  return `Error: Warehouse answered 500: Code: ${code}. DB::Exception: Table staging.t_${hex(varying, 8)} does not exist. (UNKNOWN_TABLE) (version 24.8.4.13)
${at('packages/load/src/warehouse-client.ts', 118, 13)}
${grey(' ❯ processTicksAndRejections node:internal/process/task_queues:105:5')}
${at(site.path, site.line + 4, 24)}
${dim(`Serialized Error: { code: ${code}, queryId: '${fillPath(varying, '{uuid}')}' }`)}`;
};

const timeout: WriteError = (_, __, site) => `Error: Test timed out in 5000ms.
If this is a long-running test, pass a timeout value as the last argument or configure it globally with "testTimeout".
${at(site.path, site.line, 3)}`;

const connection: WriteError = (stable, varying, site) => {
  const address = `10.0.${stable.integer(1, 9)}.${stable.integer(2, 250)}:8123`;
  return `TypeError: fetch failed
${at('packages/load/src/warehouse-client.ts', 41, 22)}
${at(site.path, site.line + 2, 18)}

${red('Caused by:')} Error: connect ECONNREFUSED ${address}
${grey(' ❯ TCPConnectWrap.afterConnect node:net:1637:16')}
${dim(`Serialized Error: { errno: -111, code: 'ECONNREFUSED', syscall: 'connect', attempt: ${varying.integer(1, 5)} }`)}`;
};

const unstable: WriteError = (stable, varying, site) => {
  const received = stable.integer(2, 6);
  return `AssertionError: expected [ 'a-${varying.integer(10, 99)}', …(${received}) ] to deeply equal [ 'a-${varying.integer(10, 99)}', …(${received + 1}) ]

${difference(`  "watermark": ${varying.integer(100_000, 999_999)},`, `  "watermark": ${varying.integer(100_000, 999_999)},`)}
${inTest(site, 'expect(result.keys).toEqual(expectedKeys);', 'toEqual')}`;
};

export const vitestErrors: Record<FailureKind, WriteError> = {
  assertion,
  missing,
  server,
  timeout,
  connection,
  unstable,
  interrupted: () => 'Error: Test run was cancelled.',
};
