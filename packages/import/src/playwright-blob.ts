import type { ImportedAttachment } from './attached.ts';
import { type Importer, type Problem, type TraceFile, problem } from './imported.ts';
import { fieldsOf, isFields, messageOf, parseJsonLine } from './json.ts';
import { readPackedJson } from './packed-json.ts';
import { type BlobRead, readBlobEvents } from './playwright-events.ts';
import { type Line, linesOf, linesOfBytes, type Source } from './source.ts';
import { readZipEntry, zipEntrySizes } from './zip-entry.ts';

export const REPORT_ENTRY = 'report.jsonl';

/** A blob report of Playwright: a zip, or the events in it on their own. Playwright is not needed for it. */
export const importPlaywrightBlob: Importer = async (source, { root }) => {
  const problems: Problem[] = [];
  const events = readBlobEvents(root);
  let ended = false;
  try {
    for await (const { text, number } of await eventLines(source)) {
      if (text.trim() === '') continue;
      const event = parseEvent(text);
      if (!isFields(event)) {
        problems.push(problem(`${REPORT_ENTRY} breaks off`, number));
        break;
      }
      ended ||= event['method'] === 'onEnd';
      events.take(String(event['method']), fieldsOf(event['params']));
    }
  } catch (error) {
    problems.push(problem(`the archive cannot be read to its end: ${messageOf(error)}`));
  }
  const read = events.finish();
  if (!ended && problems.length === 0) problems.push(problem(`${REPORT_ENTRY} has no end: Playwright was stopped`));
  return {
    ...read,
    status: ended && problems.length === 0 ? read.status : 'interrupted',
    problems,
    ...(await findInArchive(read, source)),
  };
};

/** All tests of a project are one event. */
const parseEvent = (line: string): unknown => {
  if (!line.startsWith('{"method":"onProject"')) return parseJsonLine(line);
  const reader = readPackedJson();
  try {
    reader.write(line);
    return reader.end();
  } catch {
    return undefined;
  }
};

const findInArchive = async (
  { traces, attachments }: Pick<BlobRead, 'traces' | 'attachments'>,
  source: Source,
): Promise<{ traces: readonly TraceFile[]; attachments: readonly ImportedAttachment[] }> => {
  // What was in the archive that these events were in is not here.
  if (!isArchive(source)) return { traces: [], attachments: attachments.filter(({ base64 }) => base64 !== undefined) };
  if (traces.length + attachments.length === 0) return { traces, attachments };
  const sizes = await zipEntrySizes(source.path).catch(() => new Map<string, number>());
  const entryOf = (path = '') => {
    const sizeBytes = sizes.get(path);
    return sizeBytes === undefined ? undefined : { name: path, sizeBytes };
  };
  return {
    traces: traces.flatMap(({ caseIndex, path }) => {
      const entry = entryOf(path);
      return entry === undefined ? [] : [{ caseIndex, path: source.path, entry }];
    }),
    attachments: attachments.map((told) => (told.base64 === undefined ? { ...told, entry: entryOf(told.path) } : told)),
  };
};

/** Not only the events that were in one. */
export const isArchive = ({ head }: Source): boolean => head[0] === 0x50;

const eventLines = async (source: Source): Promise<AsyncGenerator<Line>> => {
  if (!isArchive(source)) return linesOf(source);
  const entry = await readZipEntry(source.path, REPORT_ENTRY);
  if (entry === null) throw new Error(`it has no ${REPORT_ENTRY}`);
  return linesOfBytes(entry);
};
