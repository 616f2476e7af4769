import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { type Issue, MAX_ATTACHMENTS_PER_CASE, MAX_ATTEMPTS } from '@assay/contract';
import { stage } from '../../blobs/stage.ts';
import type { StagedFile } from '../../blobs/store.ts';
import { type ReceivedBody, receiveBody } from '../../http/body.ts';
import { type FormPart, readForm } from '../../http/form.ts';
import { refusal } from '../../validation.ts';
import { attachmentName, attachmentType } from '../files/attachment.ts';

/** The files of a form, in staging. */
export interface ReceivedFiles {
  readonly reports: readonly ReceivedReport[];
  readonly traces: readonly ReceivedTrace[];
  readonly attachments: readonly ReceivedAttachment[];
}

/** The parts of an upload. */
export interface ReceivedUpload extends ReceivedFiles {
  readonly projectName: string;
  readonly testRun: ReceivedBody;
  readonly testCases: ReceivedBody | null;
}

/** The parts of a form with files for a run that was started. */
export interface ReceivedPartFiles extends ReceivedFiles {
  readonly part: number;
}

export interface ReceivedReport {
  /** Of the part. */
  readonly name: string;
  readonly type: string;
  /** As the form gave it. */
  readonly label: string | null;
  readonly fileName: string | null;
  readonly staged: StagedFile;
}

export interface ReceivedTrace {
  readonly caseIndex: number;
  readonly staged: StagedFile;
}

export interface ReceivedAttachment {
  readonly caseIndex: number;
  /** Null where the form does not say it. */
  readonly attempt: number | null;
  readonly name: string;
  readonly contentType: string;
  readonly staged: StagedFile;
}

export interface UploadOptions {
  /** Of this upload alone. */
  readonly stagingDir: string;
  readonly stallMs: number;
  readonly maxWaitingBytes: number;
  /** Called with each body of the form; the caller must discard them. */
  readonly onBody: (body: ReceivedBody) => void;
  readonly maxUploadBytes: number;
  readonly maxFileBytes: number;
  readonly maxTextBytes: number;
}

export const TOO_MANY_ATTACHMENTS = `must not be there: a test case has at most ${MAX_ATTACHMENTS_PER_CASE} attachments`;

const MAX_SHORT_TEXT_BYTES = 16 * 1024;
const LONGEST_LABEL = 200;
const REPORT_TYPE = /^[a-z0-9_-]{1,40}$/;
const PART = /^[1-9]\d{0,15}$/;
const CASE_INDEX = /^(?:0|[1-9]\d{0,6})$/;
const CASE_AND_ATTEMPT = /^(?<caseIndex>0|[1-9]\d{0,6})(?:_(?<attempt>0|[1-9]\d{0,6}))?$/;
// oxlint-disable-next-line no-control-regex
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f]/;

/** What a part of the form is, by its name. */
type PartKind =
  | { readonly kind: 'text'; readonly name: string }
  | { readonly kind: 'json'; readonly name: string }
  | { readonly kind: 'label'; readonly type: string }
  | { readonly kind: 'report'; readonly type: string }
  | { readonly kind: 'trace'; readonly caseIndex: number }
  | ({ readonly kind: 'attachment' } & AttemptOfCase)
  | { readonly kind: 'unknown' };

type AttemptOfCase = Pick<ReceivedAttachment, 'caseIndex' | 'attempt'>;

/** The names of the parts that a form has beside files. */
interface FieldNames {
  readonly texts: readonly string[];
  readonly bodies: readonly string[];
  readonly onText?: (name: string, text: string) => Promise<void>;
}

interface ReceivedForm extends ReceivedFiles {
  readonly texts: ReadonlyMap<string, string>;
  readonly bodies: ReadonlyMap<string, ReceivedBody>;
}

export const receiveUpload = async (request: IncomingMessage, options: UploadOptions): Promise<ReceivedUpload> => {
  const names = { texts: ['projectName'], bodies: ['testRun', 'testCases'] };
  const { texts, bodies, ...files } = await receiveForm(request, names, options);
  const projectName = texts.get('projectName');
  const testRun = bodies.get('testRun');
  const missing = [
    ...(projectName === undefined ? ['projectName'] : []),
    ...(testRun === undefined ? ['testRun'] : []),
  ].map((name): Issue => ({ path: `/${name}`, message: 'is required' }));
  if (projectName === undefined || testRun === undefined) throw refusal('invalid_body', missing);
  return { projectName, testRun, testCases: bodies.get('testCases') ?? null, ...files };
};

export const receivePartFiles = async (
  request: IncomingMessage,
  options: UploadOptions,
  /** Called as soon as the form has said which part it is for. */
  onPart: (part: number) => Promise<void>,
): Promise<ReceivedPartFiles> => {
  const onText = (_name: string, text: string): Promise<void> => onPart(partOf(text));
  const { texts, reports, traces, attachments } = await receiveForm(
    request,
    { texts: ['part'], bodies: [], onText },
    options,
  );
  const part = texts.get('part');
  if (part === undefined) throw fieldRefusal('part', 'is required');
  return { part: partOf(part), reports, traces, attachments };
};

const partOf = (text: string): number => {
  if (PART.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw fieldRefusal('part', 'must be a positive integer');
};

const receiveForm = async (
  request: IncomingMessage,
  names: FieldNames,
  options: UploadOptions,
): Promise<ReceivedForm> => {
  const { stagingDir, maxFileBytes } = options;
  const seen = new Set<string>();
  const texts = new Map<string, string>();
  const bodies = new Map<string, ReceivedBody>();
  const labels = new Map<string, string>();
  const reports: (Omit<ReceivedReport, 'label'> & { readonly order: number })[] = [];
  const traces: (ReceivedTrace & { readonly order: number })[] = [];
  const attachments: (ReceivedAttachment & { readonly order: number })[] = [];
  const attachmentsOfCases = new Map<number, number>();
  let parts = 0;

  const once = (name: string, key: string): void => {
    if (seen.has(key)) throw fieldRefusal(name, 'must be sent only once');
    seen.add(key);
  };
  const receive = (part: FormPart, maxBytes: number): Promise<ReceivedBody> =>
    receiveBody(part.content, { ...options, maxBytes, name: part.name });
  const stageFile = (part: FormPart, order: number): Promise<StagedFile> =>
    stage(part.content, { file: join(stagingDir, `part-${order}`), maxBytes: maxFileBytes, name: part.name });

  await readForm(request, {
    maxBytes: options.maxUploadBytes,
    stallMs: options.stallMs,
    async take(part) {
      const order = parts++;
      const what = kindOf(part.name, names);
      switch (what.kind) {
        case 'text':
          once(part.name, part.name);
          texts.set(what.name, await shortText(part));
          await names.onText?.(what.name, texts.get(what.name)!);
          break;
        case 'json':
          once(part.name, part.name);
          bodies.set(what.name, await receive(part, options.maxTextBytes));
          options.onBody(bodies.get(what.name)!);
          break;
        case 'label':
          once(part.name, part.name);
          labels.set(what.type, labelOf(part.name, await shortText(part)));
          break;
        case 'report':
          once(part.name, `report ${what.type}`);
          reports.push({
            name: part.name,
            type: what.type,
            order,
            fileName: part.fileName ?? null,
            staged: await stageFile(part, order),
          });
          break;
        case 'trace':
          traces.push({ caseIndex: what.caseIndex, order, staged: await stageFile(part, order) });
          break;
        case 'attachment': {
          const { caseIndex, attempt } = what;
          const count = (attachmentsOfCases.get(caseIndex) ?? 0) + 1;
          if (count > MAX_ATTACHMENTS_PER_CASE) throw fieldRefusal(part.name, TOO_MANY_ATTACHMENTS);
          attachmentsOfCases.set(caseIndex, count);
          const name = attachmentName(part.fileName);
          const contentType = attachmentType(part.contentType, name);
          attachments.push({ caseIndex, attempt, name, contentType, order, staged: await stageFile(part, order) });
          break;
        }
        case 'unknown':
          for await (const _ of part.content);
      }
    },
  });
  return {
    texts,
    bodies,
    reports: reports
      .sort((a, b) => a.order - b.order)
      .map(({ name, type, fileName, staged }) => ({ name, type, fileName, staged, label: labels.get(type) || null })),
    traces: traces.sort((a, b) => a.caseIndex - b.caseIndex || a.order - b.order),
    attachments: attachments.sort((a, b) => a.caseIndex - b.caseIndex || a.order - b.order),
  };
};

const kindOf = (name: string, { texts, bodies }: FieldNames): PartKind => {
  if (texts.includes(name)) return { kind: 'text', name };
  if (bodies.includes(name)) return { kind: 'json', name };
  if (name === 'htmlReport') return { kind: 'report', type: 'html' };
  if (name.startsWith('report_label_')) return { kind: 'label', type: reportType(name, 'report_label_') };
  if (name.startsWith('report_')) return { kind: 'report', type: reportType(name, 'report_') };
  if (name.startsWith('trace_')) return { kind: 'trace', caseIndex: caseIndexOf(name) };
  if (name.startsWith('attachment_')) return { kind: 'attachment', ...attemptOfCase(name) };
  return { kind: 'unknown' };
};

const reportType = (name: string, prefix: string): string => {
  const type = name.slice(prefix.length);
  if (REPORT_TYPE.test(type)) return type;
  throw fieldRefusal(name, `must end in a report type: 1 to 40 of a-z, 0-9, "_" and "-"`);
};

const caseIndexOf = (name: string): number => {
  const index = name.slice('trace_'.length);
  if (CASE_INDEX.test(index)) return Number(index);
  throw fieldRefusal(name, 'must end in the index of a test case');
};

const attemptOfCase = (name: string): AttemptOfCase => {
  const { caseIndex, attempt } = CASE_AND_ATTEMPT.exec(name.slice('attachment_'.length))?.groups ?? {};
  if (caseIndex === undefined) {
    throw fieldRefusal(name, 'must end in the index of a test case, or in that and the number of an attempt');
  }
  const number = attempt === undefined ? null : Number(attempt);
  if (number !== null && number >= MAX_ATTEMPTS) {
    throw fieldRefusal(name, `must name an attempt below ${MAX_ATTEMPTS}, counted from 0`);
  }
  return { caseIndex: Number(caseIndex), attempt: number };
};

const shortText = async ({ name, content }: FormPart): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MAX_SHORT_TEXT_BYTES) throw fieldRefusal(name, `must not have more than ${MAX_SHORT_TEXT_BYTES} bytes`);
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (!isUtf8(bytes)) throw fieldRefusal(name, 'must be UTF-8');
  return bytes.toString('utf8');
};

const labelOf = (name: string, text: string): string => {
  const label = text.trim();
  if (label.length > LONGEST_LABEL) throw fieldRefusal(name, `must not have more than ${LONGEST_LABEL} characters`);
  if (CONTROL_CHARACTER.test(label)) throw fieldRefusal(name, 'must not have control characters');
  return label;
};

const fieldRefusal = (name: string, message: string) =>
  refusal('invalid_body', [{ path: `/${name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`, message }]);
