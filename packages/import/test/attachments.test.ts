import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseAttachments } from '../src/attached.ts';
import { DEFAULT_ATTACHMENT_RULES } from '../src/attachments.ts';
import { importFiles } from '../src/import-files.ts';
import { readZipEntry } from '../src/zip-entry.ts';
import { SAMPLES } from './read-sample.ts';

let folder: string;
let root: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-attachments-')));
  root = join(folder, 'shop');
  write('shop/out/shot.png', 'a picture');
  write('shop/test-results/first/shot.png', 'of the first try');
  write('shop/.env', 'SECRET=1');
  write('shop/.git/config', 'a token');
  write('secret.txt', 'of another project');
  symlinkSync(join(folder, 'secret.txt'), join(root, 'out/link.txt'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const write = (path: string, content: string): string => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
  return join(folder, path);
};

/** What is sent of a report: `case attempt name type file`, and what is left out of it: `name: why`. */
const read = async (path: string, rules = {}): Promise<{ sent: string[]; leftOut: string[] }> => {
  const files = await importFiles([path], { root });
  if (!files.ok) throw new Error(files.problems.join());
  const { cases, attachments } = chooseAttachments(files.runs[0]!, { ...DEFAULT_ATTACHMENT_RULES, ...rules });
  const sent = attachments.map((one) => {
    const place = one.body
      ? `(${Buffer.from(one.body).toString()})`
      : (one.entry?.name ?? one.path.replace(folder, ''));
    return `${one.caseIndex} ${one.attempt} ${one.name} ${one.contentType} ${place}`;
  });
  const told = cases.flatMap(({ attempts }) => (attempts ?? []) as { leftOut?: { name: string; why: string }[] }[]);
  return { sent, leftOut: told.flatMap(({ leftOut = [] }) => leftOut.map(({ name, why }) => `${name}: ${why}`)) };
};

describe('attachments', () => {
  it('of JUnit XML are named in what a test printed, in its reruns and in properties', async () => {
    const report = write(
      'shop/out/junit.xml',
      `<testsuite name="cart">
  <testcase name="passes"><system-out>[[ATTACHMENT|shot.png]]</system-out></testcase>
  <testcase name="pays">
    <properties><property name="attachment" value="[[ATTACHMENT|${root}/test-results/first/shot.png]]"/></properties>
    <flakyFailure message="no"><stackTrace>at a</stackTrace><system-out>
[[ATTACHMENT|../test-results/first/shot.png]]
</system-out></flakyFailure>
    <system-out><![CDATA[${'x'.repeat(40_000)}
[[ATTACHMENT|shot.png]] and [[ATTACHMENT|gone.log]]
${'x'.repeat(40_000)}]]></system-out>
    <system-err>[[ATTACHMENT|../.env]] [[ATTACHMENT|../.git/config]] [[ATTACHMENT|${folder}/secret.txt]]
      [[ATTACHMENT|link.txt]] [[ATTACHMENT|${'x'.repeat(5_000)}]] [[ATTACHMENT|]] [[ATTACHMENT|unfinished</system-err>
  </testcase>
</testsuite>`,
    );
    expect(await read(report)).toEqual({
      sent: [
        '1 0 shot.png image/png /shop/test-results/first/shot.png',
        '1 1 shot.png image/png /shop/test-results/first/shot.png',
        '1 1 shot.png image/png /shop/out/shot.png',
      ],
      leftOut: [
        'gone.log: its file is gone',
        '.env: hidden or outside of the repository',
        'config: hidden or outside of the repository',
        'secret.txt: hidden or outside of the repository',
        'link.txt: hidden or outside of the repository',
      ],
    });
    expect((await read(report, { wanted: 'all' })).sent[0]).toBe('0 0 shot.png image/png /shop/out/shot.png');
    expect(await read(report, { wanted: 'off' })).toEqual({ sent: [], leftOut: [] });
  });

  it('of CTRF belong to the attempts', async () => {
    const attachments = [{ name: 'The shop', contentType: 'image/png', path: 'shot.png' }];
    const tests = [
      { name: 'adds', status: 'passed', duration: 1 },
      {
        name: 'pays',
        status: 'failed',
        duration: 1,
        retries: 1,
        retryAttempts: [{ attempt: 1, status: 'failed', attachments: [{ name: 'log', path: 'gone.log' }] }],
        attachments,
      },
    ];
    const report = write(
      'shop/out/ctrf.json',
      JSON.stringify({ results: { tool: { name: 'x' }, summary: {}, tests } }),
    );
    expect(await read(report)).toEqual({
      sent: ['1 1 The shop image/png /shop/out/shot.png'],
      leftOut: ['log: its file is gone'],
    });
  });

  it("of Playwright's JSON are files, or in the report itself", async () => {
    const attachments = [
      { name: 'screenshot', contentType: 'image/png', path: join(root, 'out/shot.png') },
      { name: 'note', contentType: 'text/plain', body: Buffer.from('a note').toString('base64') },
      { name: 'trace', contentType: 'application/zip', path: join(root, 'out/trace.zip') },
      { name: '_private', contentType: 'text/plain', body: 'eA==' },
    ];
    const results = [
      { retry: 0, status: 'failed', attachments: [] },
      { retry: 1, status: 'failed', attachments },
    ];
    const specs = [{ title: 'pays', tests: [{ results }] }];
    const json = JSON.stringify({ config: { rootDir: root }, suites: [{ title: 'a.spec.ts', specs }], errors: [] });
    expect(await read(write('shop/out/report.json', json))).toEqual({
      sent: ['0 1 screenshot image/png /shop/out/shot.png', '0 1 note text/plain (a note)'],
      leftOut: [],
    });
  });

  it("of Playwright's blob are in the archive", async () => {
    const blob = join(SAMPLES, 'playwright-blob-1.zip');
    const { sent, leftOut } = await read(blob);
    expect(leftOut).toEqual([]);
    expect(sent).toHaveLength(5);
    expect(new Set(sent.map((line) => line.split(' ').slice(2, 4).join(' ')))).toEqual(
      new Set(['error-context text/markdown']),
    );
    const stream = (await readZipEntry(blob, sent[0]!.split(' ').at(-1)!))!;
    expect(Buffer.concat(await stream.toArray()).toString()).toContain('# ');
  });

  it('of Allure results are beside them, also of steps, and each try has its own', async () => {
    const result = (uuid: string, start: number, more: object): string =>
      JSON.stringify({
        uuid,
        historyId: 'h',
        name: 'pays',
        status: 'failed',
        labels: [],
        start,
        stop: start + 1,
        ...more,
      });
    const shot = { name: 'shot', source: 'a-attachment.png', type: 'image/png' };
    write('shop/allure/a-attachment.png', 'a picture');
    write('shop/allure/2-result.json', result('2', 20, { attachments: [shot] }));
    write('shop/allure/1-result.json', result('1', 10, { steps: [{ name: 'x', attachments: [shot] }] }));
    expect((await read(join(root, 'allure'))).sent).toEqual([
      '0 0 shot image/png /shop/allure/a-attachment.png',
      '0 1 shot image/png /shop/allure/a-attachment.png',
    ]);
  });
});
