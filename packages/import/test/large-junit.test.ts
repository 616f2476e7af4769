import { execFile } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const MEGABYTE = 1024 * 1024;

/** Reads a file in a process with a small heap, and says what it held at most. */
const READ = `
import { existsSync, readFileSync } from 'node:fs';
import { importFiles, manageHeap } from ${JSON.stringify(join(import.meta.dirname, '../src/index.ts'))};
manageHeap();
const read = await importFiles([process.argv[1]], { root: '/' });
// On Linux the usage of a process begins with what the one that started it had.
const kilobytes = existsSync('/proc/self/status')
  ? Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1])
  : process.resourceUsage().maxRSS;
const cases = read.ok ? read.runs[0].cases.length : 0;
console.log(JSON.stringify({ ok: read.ok, problems: read.problems, cases, maxBytes: kilobytes * 1024 }));
`;

interface Said {
  readonly ok: boolean;
  readonly problems?: readonly string[];
  readonly cases: number;
  readonly maxBytes: number;
}

const readIn = async (path: string): Promise<Said> => {
  const env = { ...process.env, NODE_OPTIONS: '--max-old-space-size=32' };
  const args = ['--input-type=module', '--eval', READ, path];
  return JSON.parse((await promisify(execFile)(process.execPath, args, { env })).stdout) as Said;
};

describe('a large JUnit file', () => {
  it('is read in little memory, however long its output, texts and attributes are', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-large-'));
    try {
      const path = join(folder, 'large.xml');
      const file = openSync(path, 'w');
      const noise = 'a line of output that nobody reads\n'.repeat(MEGABYTE / 32);
      writeSync(file, '<testsuites><testsuite name="s">');
      writeSync(file, '<testcase name="one long output"><system-out><![CDATA[');
      for (let at = 0; at < 40; at++) writeSync(file, noise);
      writeSync(file, ']]></system-out></testcase><testcase name="one long failure"><failure message="');
      for (let at = 0; at < 2; at++) writeSync(file, noise);
      writeSync(file, '">');
      for (let at = 0; at < 5; at++) writeSync(file, noise);
      writeSync(file, '</failure></testcase>');
      for (let at = 0; at < 1_000; at++) {
        const output = noise.slice(0, 10_000);
        writeSync(file, `<testcase name="case ${at}" classname="C"><system-err>${output}</system-err></testcase>`);
      }
      writeSync(file, '</testsuite></testsuites>');
      closeSync(file);
      const said = await readIn(path);
      expect(said).toMatchObject({ ok: true, cases: 1_002 });
      expect(said.maxBytes).toBeLessThan(400 * MEGABYTE);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

it('a report that needs more memory than there is, is refused by its name before the process dies of it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-large-'));
  try {
    const path = join(folder, 'too-large.tap');
    const file = openSync(path, 'w');
    for (let at = 0; at < 100; at++) {
      const tests = Array.from(
        { length: 1_000 },
        (_, nth) => `ok ${at * 1_000 + nth + 1} - ${nth} ${'x'.repeat(500)}\n`,
      );
      writeSync(file, tests.join(''));
    }
    closeSync(file);
    expect(await readIn(path)).toMatchObject({
      ok: false,
      problems: [expect.stringMatching(/too-large\.tap: .*takes more than \d+ MB of memory/)],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
