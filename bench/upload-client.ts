import { createReadStream } from 'node:fs';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface UploadPart {
  readonly name: string;
  readonly fileName?: string;
  readonly content: Buffer | { readonly file: string } | { readonly randomBytes: number; readonly seed: number };
}

const BOUNDARY = 'assay-bench-boundary';
const BLOCK_BYTES = 1024 * 1024;
/** Filled once: what a block holds does not matter as long as no two are the same. */
const block = Buffer.alloc(BLOCK_BYTES, 'Assay measures uploads. ');

/** Sends a form as a stream, with only a block of it in memory. */
export const upload = async (url: string, parts: readonly UploadPart[]): Promise<string> => {
  const sending = request(url, {
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  });
  const answer = new Promise<string>((resolve, reject) => {
    sending.on('error', reject).on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        response.statusCode === 200 ? resolve(text) : reject(new Error(`Answered ${response.statusCode}: ${text}`)),
      );
    });
  });
  await pipeline(Readable.from(writeForm(parts), { objectMode: false, highWaterMark: BLOCK_BYTES }), sending);
  return answer;
};

async function* writeForm(parts: readonly UploadPart[]): AsyncGenerator<Buffer> {
  for (const { name, fileName, content } of parts) {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`;
    yield Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`);
    if (Buffer.isBuffer(content)) yield content;
    else if ('file' in content)
      yield* createReadStream(content.file, { highWaterMark: BLOCK_BYTES }) as AsyncIterable<Buffer>;
    else yield* distinctBlocks(content.randomBytes, content.seed);
    yield Buffer.from('\r\n');
  }
  yield Buffer.from(`--${BOUNDARY}--\r\n`);
}

function* distinctBlocks(bytes: number, seed: number): Generator<Buffer> {
  for (let at = 0; at < bytes; at += BLOCK_BYTES) {
    const one = Buffer.from(block.subarray(0, Math.min(BLOCK_BYTES, bytes - at)));
    one.write(`${seed} ${at}`);
    yield one;
  }
}

/** The texts that every upload has. */
export const runTexts = (projectName: string, cases: number): UploadPart[] => {
  const testRun = { status: 'passed', startTime: '2026-01-01T00:00:00.000Z' };
  const testCases = Array.from({ length: cases }, (_, index) => ({ title: `test ${index}`, status: 'passed' }));
  return [
    { name: 'projectName', content: Buffer.from(projectName) },
    { name: 'testRun', content: Buffer.from(JSON.stringify(testRun)) },
    { name: 'testCases', content: Buffer.from(JSON.stringify(testCases)) },
  ];
};
