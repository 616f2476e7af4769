import { setTimeout as delay } from 'node:timers/promises';
import type { UploadReply } from '@assay/contract';
import { createRandom } from '@assay/testkit';
import { expect, it } from 'vitest';
import { minute, testCase } from '../conformance/build.ts';
import { type StartedService, newFolder, startServiceProcess } from '../robustness/service-process.ts';
import { zipOf } from './archives.ts';
import { type Part, beside, file, json, readStored, sendForm, text } from './form.ts';
import { filesIn, hashesOf, storedHashes } from './stored.ts';

const SEED = process.env['ROBUSTNESS_SEED'] ?? 'killed';
const CLIENTS = 4;
const PAGE = '<!doctype html><title>Report</title>';
/** After how many answers of the round the process is killed; a random pause of at most so many ms comes on top. */
const ROUNDS = [
  { answers: 0, pauseMs: 40 },
  { answers: 12, pauseMs: 60 },
];

interface Sent {
  readonly parts: readonly Part[];
  readonly files: Readonly<Record<string, Buffer>>;
  readonly trace: Buffer;
  answer: UploadReply | null;
}

const random = createRandom(SEED);
const bytes = (draw: ReturnType<typeof createRandom>, size: number): Buffer =>
  Buffer.from([1, ...Array.from({ length: size }, () => draw.integer(0, 255))]);
const POOL = Array.from({ length: 4 }, (_, index) => bytes(random.fork(`pool ${index}`), 20_000));

const buildUpload = async (n: number): Promise<Sent> => {
  const draw = random.fork(n);
  const files = {
    'index.html': Buffer.from(PAGE),
    'shared.bin': draw.pick(POOL),
    'own.bin': bytes(draw, draw.integer(10, 5_000)),
    'text.txt': Buffer.from(`${n} text `.repeat(draw.integer(1, 3_000))),
  };
  const trace = draw.chance(0.5) ? draw.pick(POOL) : bytes(draw, 3_000);
  const key = `run ${n}`;
  const parts = [
    file('report_html', await zipOf(files)),
    text('projectName', 'killed'),
    json('testRun', { status: 'passed', startTime: minute(n), runKey: key, metadata: { key } }),
    file('trace_1', trace),
    json('testCases', [testCase({ title: 'first' }), testCase({ title: 'second' })]),
  ];
  return { parts: draw.chance(0.5) ? parts : parts.toReversed(), files, trace, answer: null };
};

const uploadUntilKilled = async (
  service: StartedService,
  next: () => Promise<Sent>,
  answered: () => void,
): Promise<void> => {
  for (;;) {
    const sent = await next();
    try {
      const response = await sendForm(service, sent.parts);
      if (response.status !== 200) throw new RangeError(await response.text());
      sent.answer = (await response.json()) as UploadReply;
    } catch (error) {
      if (error instanceof RangeError) throw error;
      return;
    }
    answered();
  }
};

/** Every run that is there is whole, and every answered one is there; returns all contents that they have. */
const expectWhole = async (service: StartedService, all: ReadonlyMap<string, Sent>): Promise<Buffer[]> => {
  const contents: Buffer[] = [];
  const found = new Set<string>();
  for (const project of await service.client.listProjects()) {
    const { testRuns } = await service.client.getProject({ params: { id: project.id } });
    for (const { id, reports } of testRuns) {
      const { testCases, metadata } = await service.client.getRun({ params: { id } });
      const { key } = metadata as { key: string };
      const { files, trace, answer } = all.get(key)!;
      expect(found.has(key), key).toBe(false);
      found.add(key);
      expect(reports).toHaveLength(1);
      if (answer !== null) expect(answer).toMatchObject({ testRunId: id, reportPath: reports[0]!.path });
      for (const [name, content] of Object.entries(files)) {
        const served = await readStored(service, beside(reports[0]!.path, name));
        if (name === 'index.html') expect(String(served)).toContain('<title>Report</title>');
        else expect(served.equals(content), `${key} ${name}`).toBe(true);
      }
      const { traces } = await service.client.getTestCase({ params: { id: testCases[1]!.id } });
      expect(traces).toHaveLength(1);
      expect((await readStored(service, traces[0]!.path)).equals(trace), key).toBe(true);
      contents.push(...Object.values(files), trace);
    }
  }
  for (const [key, { answer }] of all) if (answer !== null) expect(found.has(key), key).toBe(true);
  return contents;
};

it(`what was answered survives a kill at any moment, and what was on its way is gone (seed ${SEED})`, async () => {
  using folder = newFolder();
  const all = new Map<string, Sent>();
  let count = 0;
  const next = async (): Promise<Sent> => {
    const n = count++;
    const sent = await buildUpload(n);
    all.set(`run ${n}`, sent);
    return sent;
  };
  for (const [round, { answers, pauseMs }] of ROUNDS.entries()) {
    await using service = await startServiceProcess(folder.path);
    expect(filesIn(folder.path, 'staging')).toEqual([]);
    expect(storedHashes(folder.path)).toEqual(expect.arrayContaining(hashesOf(await expectWhole(service, all))));
    let left = answers;
    const enough = Promise.withResolvers<void>();
    const answered = (): void => (--left <= 0 ? enough.resolve() : undefined);
    const clients = Array.from({ length: CLIENTS }, () => uploadUntilKilled(service, next, answered));
    if (answers > 0) await enough.promise;
    await delay(random.fork(`pause ${round}`).integer(0, pauseMs));
    service.signal('SIGKILL');
    await Promise.all(clients);
  }
  await using service = await startServiceProcess(folder.path);
  await expectWhole(service, all);
  for (const sent of all.values()) {
    const response = await sendForm(service, sent.parts);
    const answer = (await response.json()) as UploadReply;
    expect(response.status).toBe(200);
    if (sent.answer !== null) expect(answer).toEqual(sent.answer);
    sent.answer = answer;
  }
  const contents = await expectWhole(service, all);
  await expect.poll(() => storedHashes(folder.path)).toEqual(hashesOf(contents));
  await expect.poll(() => filesIn(folder.path, 'staging')).toEqual([]);
});
