import { copyFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FilesRead, importFiles } from '../src/import-files.ts';
import { ROOT, SAMPLES } from './read-sample.ts';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'assay-files-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sample = (name: string): string => join(SAMPLES, name);
const read = (...paths: string[]): Promise<FilesRead> => importFiles(paths, { root: ROOT });
const runsOf = async (...paths: string[]) => {
  const files = await read(...paths);
  if (!files.ok) throw new Error(files.problems.join('; '));
  return files;
};

describe('files of one call', () => {
  it('make one run, from the earliest start to the latest end', async () => {
    const { runs, formats, warnings } = await runsOf(sample('junit-surefire.xml'), sample('junit-several.xml'));
    expect(formats).toEqual(new Map([['JUnit XML', 2]]));
    expect(warnings).toEqual([]);
    expect(runs).toHaveLength(1);
    expect(runs[0]).toMatchObject({
      startTime: '2026-03-04T05:06:07.000Z',
      durationMs: 1_235_390,
      status: 'failed',
      shard: null,
    });
    expect(runs[0]!.cases).toHaveLength(10);
  });

  it('of several shards make one part for each', async () => {
    const { runs } = await runsOf(sample('playwright-blob-2.zip'), sample('playwright-blob-1.zip'));
    expect(runs.map(({ shard, cases }) => [shard, cases.length])).toEqual([
      [{ index: 2, total: 2 }, 6],
      [{ index: 1, total: 2 }, 7],
    ]);
  });

  it('may be a folder, of which everything that is a report counts', async () => {
    const reports = join(folder, 'reports');
    mkdirSync(join(reports, 'deep/node_modules'), { recursive: true });
    copyFileSync(sample('junit-surefire.xml'), join(reports, 'a.txt'));
    copyFileSync(sample('go-test.json'), join(reports, 'deep/b'));
    copyFileSync(sample('go-test.json'), join(reports, 'deep/node_modules/c'));
    writeFileSync(join(reports, 'notes.md'), '# Notes');
    const { runs, formats } = await runsOf(reports);
    expect(runs[0]!.cases).toHaveLength(16);
    expect(formats).toEqual(
      new Map([
        ['JUnit XML', 1],
        ['Go test JSON', 1],
      ]),
    );
  });

  it('without times were written when the run ended', async () => {
    const path = join(folder, 'a.tap');
    writeFileSync(path, '1..1\nok 1 - a\n# time=2000ms\n');
    utimesSync(path, 1_772_600_770, 1_772_600_770);
    expect((await runsOf(path)).runs[0]).toMatchObject({
      startTime: '2026-03-04T05:06:08.000Z',
      durationMs: 2_000,
      status: 'passed',
    });
  });

  it('with nothing but skipped tests make a skipped run', async () => {
    const path = join(folder, 'skipped.tap');
    writeFileSync(path, '1..1\nok 1 - a # SKIP\n');
    expect((await runsOf(path)).runs[0]!.status).toBe('skipped');
  });

  it('that break off count as far as they go, and the run is interrupted', async () => {
    const path = join(folder, 'cut.xml');
    writeFileSync(path, '<testsuite name="s">\n<testcase name="a"/>\n<testcase name="b">');
    const { runs, warnings } = await runsOf(path);
    expect(runs[0]).toMatchObject({ status: 'interrupted', cases: [{ title: 'a' }] });
    expect(warnings).toEqual([`${path}:3: it ends inside of <testcase>; 1 test could be read`]);
  });

  it('of which nothing can be read are refused, with the place', async () => {
    const path = join(folder, 'cut.json');
    writeFileSync(path, '{"reportFormat": "CTRF",\n"results": {\n"tests": [{');
    expect(await read(path)).toEqual({ ok: false, problems: [expect.stringContaining(`${path}:3: `)] });
  });

  it('are refused all together when one is no report, or is not there', async () => {
    const path = join(folder, 'page.html');
    writeFileSync(path, '<html></html>');
    expect(await read(sample('junit-surefire.xml'), path, join(folder, 'none.xml'))).toEqual({
      ok: false,
      problems: [`${join(folder, 'none.xml')} does not exist`],
    });
    expect(await read(sample('junit-surefire.xml'), path)).toEqual({
      ok: false,
      problems: [expect.stringMatching(/page\.html is not a report: it is an HTML page/)],
    });
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    expect(await read(empty)).toEqual({ ok: false, problems: [`no report was found in ${empty}`] });
  });
});
