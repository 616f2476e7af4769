import { createReadStream } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { SubmittedCase } from '@assay/contract';
import { type CaseStatus, buildCase } from './build-case.ts';
import { boundGarbage } from './garbage.ts';
import { type Importer, type Problem, finishReport, problem } from './imported.ts';
import { type GrowingText, MAX_ERROR, growText } from './texts.ts';

/*
 * Subunit version 2, which Python's stestr and testrepository write: packets of a signature, flags, a length, some fields
 * by the flags, and a checksum.
 */

const SIGNATURE = 0xb3;
const MAX_PACKET = 4 * 1024 * 1024;
const FLAGS = { timestamp: 0x200, testId: 0x800, tags: 0x80, fileContent: 0x40, mimeType: 0x20, endOfFile: 0x10 };
const ROUTING = 0x400;
const STATES = ['undefined', 'exists', 'inprogress', 'success', 'uxsuccess', 'skip', 'fail', 'xfail'] as const;

interface Test {
  startMs: number | null;
  endMs: number | null;
  state: (typeof STATES)[number];
  tags: Set<string> | null;
  text: GrowingText | null;
}

interface Packet {
  readonly state: (typeof STATES)[number];
  readonly testId: string;
  readonly timeMs: number | null;
  readonly tags: readonly string[];
  readonly text: string;
}

export const isSubunit = (head: Buffer): boolean => head[0] === SIGNATURE && ((head[1] ?? 0) & 0xf0) === 0x20;

export const importSubunit: Importer = async (source, { root }) => {
  const tests = new Map<string, Test>();
  const problems: Problem[] = [];
  let startMs = Infinity;
  let endMs = -Infinity;
  try {
    for await (const bytes of packetsOf(source.path)) {
      const packet = readPacket(bytes);
      if (packet.timeMs !== null) {
        startMs = Math.min(startMs, packet.timeMs);
        endMs = Math.max(endMs, packet.timeMs);
      }
      if (packet.testId !== '') take(packet, tests);
    }
  } catch (error) {
    problems.push(problem((error as Error).message));
  }
  return finishReport({
    cases: takeAll(tests, root),
    startTimeMs: startMs === Infinity ? null : startMs,
    durationMs: startMs === Infinity ? null : endMs - startMs,
    problems,
  });
};

/** Each packet whole; throws where the file breaks off. */
async function* packetsOf(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let length = lengthOf(rest); length !== null && length <= rest.length; length = lengthOf(rest)) {
      yield rest.subarray(0, length);
      rest = rest.subarray(length);
    }
    boundGarbage();
  }
  if (rest.length > 0) throw new Error('it ends inside of a packet');
}

const lengthOf = (bytes: Buffer): number | null => {
  if (bytes.length < 7) return null;
  if (bytes[0] !== SIGNATURE) throw new Error('it holds something other than subunit');
  const { value } = readNumber(bytes, 3);
  if (value < 8 || value > MAX_PACKET) throw new Error('it holds a packet that cannot be');
  return value;
};

/** The first two bits say of how many bytes a number is. */
const readNumber = (bytes: Buffer, at: number): { readonly value: number; readonly end: number } => {
  const size = (bytes[at]! >> 6) + 1;
  const value = bytes.readUIntBE(at, size) - (bytes[at]! & 0xc0) * 256 ** (size - 1);
  return { value, end: at + size };
};

const readPacket = (bytes: Buffer): Packet => {
  const body = bytes.subarray(0, -4);
  if (crc32(body) !== bytes.readUInt32BE(bytes.length - 4)) throw new Error('it holds a damaged packet');
  const flags = bytes.readUInt16BE(1);
  let at = readNumber(bytes, 3).end;
  const text = (): string => {
    const { value, end } = readNumber(body, at);
    if (end + value > body.length) throw new Error('it holds a damaged packet');
    at = end + value;
    return body.toString('utf8', end, at);
  };
  let timeMs: number | null = null;
  if (flags & FLAGS.timestamp) {
    const seconds = body.readUInt32BE(at);
    const nanoseconds = readNumber(body, at + 4);
    timeMs = seconds * 1000 + nanoseconds.value / 1e6;
    at = nanoseconds.end;
  }
  const testId = flags & FLAGS.testId ? text() : '';
  const tags: string[] = [];
  if (flags & FLAGS.tags) {
    const count = readNumber(body, at);
    at = count.end;
    for (let read = 0; read < count.value; read++) tags.push(text());
  }
  const mimeType = flags & FLAGS.mimeType ? text() : '';
  let content = '';
  if (flags & FLAGS.fileContent) {
    const name = text();
    const told = text();
    if (name !== '' && (mimeType === '' || mimeType.startsWith('text/'))) content = told;
  }
  if (flags & ROUTING) text();
  return { state: STATES[flags & 7]!, testId, timeMs, tags, text: content };
};

const take = ({ state, testId, timeMs, tags, text }: Packet, tests: Map<string, Test>): void => {
  const test = tests.get(testId) ?? {
    startMs: null,
    endMs: null,
    state: 'undefined',
    tags: null,
    text: null,
  };
  tests.set(testId, test);
  if (state === 'inprogress') test.startMs = timeMs;
  else if (state !== 'undefined' && state !== 'exists') test.endMs = timeMs;
  if (state !== 'undefined') test.state = state;
  for (const tag of tags) (test.tags ??= new Set()).add(tag);
  if (text !== '') (test.text ??= growText(MAX_ERROR)).add(text);
};

/** Forgets each test that is told: there may be very many. */
const takeAll = (tests: Map<string, Test>, root: string): SubmittedCase[] => {
  const cases: SubmittedCase[] = [];
  for (const [id, test] of tests) {
    tests.delete(id);
    cases.push(...casesOf(id, test, root));
    if (cases.length % 1_000 === 0) boundGarbage();
  }
  return cases;
};

/** A test that only exists was listed and not run; one that is in progress at the end never ended. */
const casesOf = (id: string, test: Test, root: string): SubmittedCase[] => {
  if (test.state === 'exists' || test.state === 'undefined') return [];
  const dot = id.lastIndexOf('.');
  const text = test.text?.text().trim() ?? '';
  const status = STATUSES[test.state];
  const isTold = status === 'skipped' && text !== '';
  return [
    buildCase(
      {
        titles: [id.slice(dot + 1)],
        place: dot > 0 ? { file: id.slice(0, dot) } : undefined,
        attempts: [
          {
            status,
            durationMs: test.startMs === null || test.endMs === null ? null : test.endMs - test.startMs,
            error: text || (test.state === 'uxsuccess' ? 'It was expected to fail, but passed' : ''),
          },
        ],
        tags: [...(test.tags ?? [])],
        annotations: isTold ? [{ type: 'skip', description: text }] : [],
      },
      root,
    ),
  ];
};

const STATUSES: Readonly<Record<Exclude<Test['state'], 'exists' | 'undefined'>, CaseStatus>> = {
  inprogress: 'interrupted',
  success: 'passed',
  uxsuccess: 'failed',
  skip: 'skipped',
  fail: 'failed',
  xfail: 'passed',
};
