import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { type Connection, bodyRequest, submitRequest } from './http-client.ts';
import { type LifeRun, bodyOf } from './life.ts';
import { upload } from './upload-client.ts';

const BATCH = 100;
const TRACE_BYTES = 200_000;
let uploads = 0;

/** Sends a run the way that it comes in: as one body, while it happens, or with a report and a trace. */
export const sendRun = async (url: string, connection: Connection, run: LifeRun): Promise<void> => {
  if (run.wayIn === 'live') return sendLive(connection, run);
  if (run.wayIn === 'upload') return sendWithFiles(url, run);
  await post(connection, submitRequest(bodyOf(run)));
};

const sendLive = async (connection: Connection, { submission }: LifeRun): Promise<void> => {
  const { testCases, status, duration, projectName, startTime } = submission;
  const send = (path: string, body: object): Promise<{ testRunId: number; part: number }> =>
    post(connection, bodyRequest('POST', path, Buffer.from(JSON.stringify(body))));
  const { testRunId, part } = await send('/api/test-runs/start', { projectName, startTime, runKey: randomUUID() });
  for (let batch = 0; batch * BATCH < testCases!.length; batch++) {
    const cases = testCases!.slice(batch * BATCH, (batch + 1) * BATCH);
    await send(`/api/test-runs/${testRunId}/results`, { part, batch, testCases: cases });
  }
  await send(`/api/test-runs/${testRunId}/finish`, { part, status, duration });
};

const sendWithFiles = async (url: string, { submission }: LifeRun): Promise<void> => {
  const { projectName, testCases, ...testRun } = submission;
  const seed = uploads++;
  await upload(`${url}/api/test-runs/upload`, [
    { name: 'projectName', content: Buffer.from(projectName) },
    { name: 'testRun', content: Buffer.from(JSON.stringify(testRun)) },
    { name: 'testCases', content: Buffer.from(JSON.stringify(testCases)) },
    { name: 'report_html', fileName: 'report.zip', content: await reportOf(seed) },
    { name: 'trace_0', fileName: 'trace.zip', content: { randomBytes: TRACE_BYTES, seed } },
  ]);
};

/** Assets that every report has, and pages that only this one has. */
const reportOf = (seed: number): Promise<Buffer> => {
  const zip = new ZipFile();
  zip.addBuffer(
    Buffer.from(`<!doctype html><title>Report ${seed}</title>${'<p>a line of it</p>'.repeat(500)}`),
    'index.html',
  );
  zip.addBuffer(SHARED_ASSET, 'assets/report.js');
  for (let page = 0; page < 5; page++) zip.addBuffer(Buffer.from(`{"page":${page},"of":${seed}}`), `data/${page}.json`);
  zip.end();
  return buffer(zip.outputStream);
};

const SHARED_ASSET = Buffer.alloc(300_000, 'const report = render(data);\n');

const post = async <T>(connection: Connection, request: Buffer): Promise<T> => {
  const { status, body } = await connection.send(request);
  if (status !== 200) throw new Error(`A run was answered ${status}: ${body.toString()}`);
  return JSON.parse(body.toString()) as T;
};
