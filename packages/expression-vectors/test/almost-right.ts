import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readLines } from '../src/protocol.ts';

/** Answers as the library does, but takes what is true for false. */
const serve = fileURLToPath(new URL('../src/serve.ts', import.meta.url));
const child = spawn(process.execPath, [serve], { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(child.stdin);
for await (const line of readLines(child.stdout)) {
  process.stdout.write(`${line.replace(/^(\{"id":\d+,"value":)true\}$/, '$1false}')}\n`);
}
