import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { flushSpool, keptIn } from './deliveries.ts';
import { canMount, mountDisk } from './mount-disk.ts';
import { type Ended, type Project, type TestRunner, createProject } from './project.ts';
import { startProxy } from './proxy.ts';
import { type Service, createService } from './service.ts';

const refusalOf = (status: string): string => `HTTP/1.1 ${status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`;

/** Whatever the service does, the tests of a project end as they do without it, and their runs get in. */
export const failsOpenCases = (runner: TestRunner): void => {
  let service: Service;
  let project: Project;

  const run = (env: Readonly<Record<string, string>>): Promise<Ended> => runner.start(project, env).ended;

  beforeAll(async () => {
    service = await createService();
    project = createProject({
      ...runner.configFor('shop'),
      'tests/tiny.spec.ts': `import { test } from '${runner.module}'; test('passes', () => {});`,
    });
  });
  afterAll(async () => {
    project[Symbol.dispose]();
    await service[Symbol.asyncDispose]();
  });

  it('runs as ever when an option is wrong, with one line about it', async () => {
    const { code, said, output } = await run({ ASSAY_URL: 'assay', ASSAY_TIMEOUT_MS: 'soon' });
    expect(code).toBe(0);
    expect(said).toEqual([
      'Assay: this run will not be sent: serverUrl must be a URL such as https://assay.example.org, but is "assay"; timeoutMs must be a number from 1 to 3600000, but is "soon"',
    ]);
    expect(output).toContain('1 passed');
    expect(output).not.toContain('    at ');
  });

  it('runs as ever when nobody answers, or the service is too slow or refuses the run; the next run brings all of them', async () => {
    await using proxy = await startProxy(service.url);
    const away = await run({ ASSAY_URL: proxy.url, ASSAY_TIMEOUT_MS: '300' });
    expect(away.code).toBe(0);
    expect(away.said).toEqual([
      expect.stringMatching(/^Assay: not sent: .* Kept in .* the next run or `assay flush` sends it$/),
    ]);

    await service.start();
    proxy.onAnswer = () => true;
    const slow = await run({ ASSAY_URL: proxy.url, ASSAY_TIMEOUT_MS: '2000' });
    proxy.onAnswer = null;
    proxy.answers = { times: Infinity, text: refusalOf('401 Unauthorized') };
    const refused = await run({ ASSAY_URL: proxy.url });
    proxy.answers = null;
    expect([slow.code, refused.code]).toEqual([0, 0]);
    expect([slow.said, refused.said]).toEqual([
      [expect.stringMatching(/did not finish in time/)],
      [expect.stringMatching(/answered 401/)],
    ]);
    expect(await keptIn(project.spoolDir)).toHaveLength(3);

    const back = await run({ ASSAY_URL: proxy.url });
    expect(back.said).toEqual([
      expect.stringMatching(/^Assay: 1 passed http/),
      expect.stringMatching(/^Assay: sent a kept run: http/),
      expect.stringMatching(/^Assay: sent a kept run: http/),
      expect.stringMatching(/^Assay: sent a kept run: http/),
    ]);
    const stored = { status: 'passed', testCases: [{ title: 'passes', filePath: 'tests/tiny.spec.ts' }] };
    expect(await service.runsOf('shop')).toMatchObject([stored, stored, stored, stored]);
    expect(await keptIn(project.spoolDir)).toEqual([]);
  });

  it('keeps a run that the service cannot take out of the way of the next, and leaves out metadata that it would refuse', async () => {
    const before = (await service.runsOf('shop')).length;
    await using proxy = await startProxy(service.url);
    proxy.answers = { times: Infinity, text: refusalOf('422 Unprocessable') };
    const refused = await run({ ASSAY_URL: proxy.url });
    expect(refused.code).toBe(0);
    expect(refused.said).toEqual([expect.stringMatching(/answered 422.* Kept in .*; `assay flush` retries it$/)]);
    proxy.answers = null;

    const metadata = JSON.stringify({ team: 'x'.repeat(64 * 1024) });
    const { code, said } = await run({ ASSAY_URL: proxy.url, ASSAY_METADATA: metadata });
    expect([code, said]).toEqual([
      0,
      [
        `Assay: metadata is left out of the run: it has ${metadata.length} bytes as JSON, and at most 53248 are sent`,
        expect.stringMatching(/^Assay: 1 passed http/),
      ],
    ]);
    expect((await service.runsOf('shop'))[0]!.metadata).not.toHaveProperty('team');
    expect(await flushSpool(proxy.url, project.spoolDir)).toMatchObject({ sent: [expect.any(String)], left: 0 });
    expect(await service.runsOf('shop')).toHaveLength(before + 2);
  });

  it.skipIf(!canMount())('runs as ever when nobody answers and the disk of the spool is full', async () => {
    using disk = mountDisk(`${project.folder}/full`, 65_536);
    writeFileSync(`${disk.path}/others`, Buffer.alloc(65_536));
    const env = { ASSAY_URL: 'http://127.0.0.1:9', ASSAY_TIMEOUT_MS: '300', ASSAY_SPOOL_DIR: `${disk.path}/spool` };
    const lost = await run(env);
    expect(lost.code).toBe(0);
    expect(lost.said).toEqual([expect.stringMatching(/^Assay: this run is lost: .*the disk of .* is full$/)]);
  });
};
