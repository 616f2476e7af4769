import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { flushSpool, keptIn } from './deliveries.ts';
import { type Disk, canMount, mountDisk } from './mount-disk.ts';
import { type Ended, type Project, type TestRunner, createProject } from './project.ts';
import { type Proxy, startProxy } from './proxy.ts';
import type { Service } from './service.ts';

const answering = (status: string) => (proxy: Proxy) => {
  proxy.answers = {
    times: Infinity,
    text: status && `HTTP/1.1 ${status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
  };
};

/** What stands in the way of a run, and what its reporter then says. */
const OBSTACLES = {
  away: {
    place: answering(''),
    says: /^Assay: not sent: .* Kept in .* the next run or `assay flush` sends it$/,
  },
  slow: {
    place: (proxy: Proxy) => {
      proxy.onAnswer = () => true;
    },
    says: /did not finish in time/,
  },
  unauthorized: { place: answering('401 Unauthorized'), says: /answered 401/ },
  unprocessable: {
    place: answering('422 Unprocessable'),
    says: /answered 422.* Kept in .*; `assay flush` retries it$/,
  },
};
type Obstacle = keyof typeof OBSTACLES;
const NAMES = Object.keys(OBSTACLES) as Obstacle[];

const METADATA = { team: 'x'.repeat(64 * 1024) };
const WITHOUT_METADATA = `Assay: metadata is left out of the run: it has ${JSON.stringify(METADATA).length} bytes as JSON, and at most 53248 are sent`;
const WRONG_OPTIONS =
  'Assay: this run will not be sent: serverUrl must be a URL such as https://assay.example.org, but is "assay"; timeoutMs must be a number from 1 to 3600000, but is "soon"';

/**
 * Whatever the service does, the tests of a project end as they do without it, and their runs get in. The project has a
 * reporter for each thing that may go wrong, so that its tests need to run twice only: with all obstacles and with none.
 */
export const failsOpenCases = (runner: TestRunner, serviceOfTests: () => Service): void => {
  const hasDisk = canMount();
  let service: Service;
  let proxies: Readonly<Record<Obstacle, Proxy>>;
  let project: Project;
  let disk: Disk | null = null;
  let hindered: Ended;

  const spoolOf = (name: Obstacle): string => join(project.folder, name);
  const linesAbout = ({ url }: Proxy, { said }: Ended): string[] =>
    said.filter((line) => line.includes(`${url} `) || line.includes(`${url}/`));

  beforeAll(async () => {
    service = serviceOfTests();
    const started = NAMES.map(async (name) => [name, await startProxy(service.url)] as const);
    proxies = Object.fromEntries(await Promise.all(started)) as Record<Obstacle, Proxy>;
    const wrong = { projectName: 'wrong', serverUrl: 'assay', timeoutMs: 'soon' as unknown as number };
    const obstructed = NAMES.map((name) => ({ projectName: name, serverUrl: proxies[name].url, spoolDir: name }));
    const talkative = { projectName: 'talkative', serverUrl: service.url, metadata: METADATA, timeoutMs: 120_000 };
    const onFullDisk = { projectName: 'lost', serverUrl: 'http://127.0.0.1:9', timeoutMs: 300, spoolDir: 'full/spool' };
    project = createProject({
      ...runner.configFor(wrong, ...obstructed, talkative, ...(hasDisk ? [onFullDisk] : [])),
      'tests/tiny.spec.ts': `import { test } from '${runner.module}'; test('passes', () => {});`,
    });
    if (hasDisk) {
      disk = mountDisk(join(project.folder, 'full'), 65_536);
      writeFileSync(join(disk.path, 'others'), Buffer.alloc(65_536));
    }
    for (const name of NAMES) OBSTACLES[name].place(proxies[name]);
    hindered = await runner.start(project, { ASSAY_TIMEOUT_MS: '2000' }).ended;
  });
  afterAll(async () => {
    disk?.[Symbol.dispose]();
    project[Symbol.dispose]();
    await Promise.all(NAMES.map((name) => proxies[name][Symbol.asyncDispose]()));
  });

  it('runs as ever, with one line about each thing that is wrong', () => {
    expect(hindered.code, hindered.output).toBe(0);
    expect(hindered.output).toContain('1 passed');
    expect(hindered.output).not.toContain('    at ');
    // Those of the obstacles, of the wrong options, two of the metadata and that of the disk.
    expect(hindered.said, hindered.output).toHaveLength(NAMES.length + 1 + 2 + (hasDisk ? 1 : 0));
    expect(hindered.said).toContain(WRONG_OPTIONS);
  });

  it.each(NAMES)('keeps the run of a service that is %s', async (name) => {
    expect(linesAbout(proxies[name], hindered)).toEqual([expect.stringMatching(OBSTACLES[name].says)]);
    expect(await keptIn(spoolOf(name))).toHaveLength(1);
  });

  it.skipIf(!hasDisk)('says that a run is lost when nobody answers and the disk of the spool is full', () => {
    expect(hindered.said).toContainEqual(expect.stringMatching(/^Assay: this run is lost: .*the disk of .* is full$/));
  });

  it('leaves out metadata that the service would refuse', async () => {
    expect(hindered.said).toContain(WITHOUT_METADATA);
    const [run] = await service.runsOf('talkative');
    expect(run).toMatchObject({ status: 'passed' });
    expect(run!.metadata).not.toHaveProperty('team');
  });
  it('brings what was kept with the next run, but for what the service cannot take, which waits for a flush', async () => {
    for (const name of NAMES) Object.assign(proxies[name], { answers: null, onAnswer: null });
    const next = await runner.start(project, {}).ended;
    expect(next.code, next.output).toBe(0);
    const passed: unknown = expect.stringMatching(/^Assay: 1 passed http/);
    const brought: unknown = expect.stringMatching(/^Assay: sent a kept run: http/);
    for (const name of NAMES) {
      const said = name === 'unprocessable' ? [passed] : [passed, brought];
      expect(linesAbout(proxies[name], next)).toEqual(said);
    }
    const flushed = await flushSpool(proxies.unprocessable.url, spoolOf('unprocessable'));
    expect(flushed).toMatchObject({ sent: [expect.any(String)], left: 0 });
    const stored = { status: 'passed', testCases: [{ title: 'passes', filePath: 'tests/tiny.spec.ts' }] };
    for (const name of NAMES) {
      expect(await service.runsOf(name)).toMatchObject([stored, stored]);
      expect(await keptIn(spoolOf(name))).toEqual([]);
    }
  });
};
