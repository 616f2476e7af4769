import { readFileSync, readdirSync } from 'node:fs';

/** One vector as its file has it; what is in it depends on the file. */
export type Vector = { readonly name: string; readonly level?: string; readonly expect: object } & Readonly<
  Record<string, unknown>
>;

/** One line to the implementation. */
export interface Request {
  readonly id: number;
  readonly operation: 'read' | 'evaluate' | 'parse' | 'print' | 'select';
  readonly [field: string]: unknown;
}

/** One line back: the same id, and what was found. `skipped` says that the implementation does not do this. */
export interface Answer {
  readonly id: number;
  readonly skipped?: true;
  readonly [field: string]: unknown;
}

/** What is asked and what must be answered. */
export interface Question {
  readonly file: string;
  readonly level: string;
  readonly name: string;
  readonly request: Request;
  readonly expected: Readonly<Record<string, unknown>>;
}

const FILES = ['shape', 'refusal', 'constants', 'meaning', 'text', 'sql'];

/** JSON with the sign of a negative zero, which `JSON.stringify` drops. */
function writeJson(value: unknown): string {
  if (Object.is(value, -0)) return '-0';
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{${fields.map(([key, item]) => `${JSON.stringify(key)}:${writeJson(item)}`).join(',')}}`;
}

/** A line of JSON in ASCII: no reader of lines and no encoding of a pipe can take it for something else. */
export function writeLine(value: unknown): string {
  const json = writeJson(value).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `${json}\n`;
}

/** The lines of a stream; only a line feed ends one. */
export async function* readLines(stream: NodeJS.ReadableStream): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** All questions of all files: a vector with an `input` is asked as a value and as a text. */
export function listQuestions(): Question[] {
  const folder = new URL('../vectors/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const unknown = files.find((name) => !FILES.includes(name.slice(0, -5)));
  if (unknown) throw new Error(`No questions are made from ${unknown}`);
  let id = 0;
  return FILES.flatMap((file) =>
    (JSON.parse(readFileSync(new URL(`${file}.json`, folder), 'utf8')) as Vector[]).flatMap((vector) =>
      requestsOf(file, vector).map((request) => ({
        file,
        level: vector.level ?? 'meaning',
        name: vector.name,
        request: { id: id++, ...request },
        expected: { ...vector.expect },
      })),
    ),
  );
}

type Asked = Omit<Request, 'id'> & Pick<Request, 'operation'>;

function requestsOf(file: string, vector: Vector): Asked[] {
  const { name: _, level: __, expect: ___, ...given } = vector;
  if (file === 'meaning') return [{ operation: 'evaluate', ...given }];
  if (file === 'sql') return [{ operation: 'select', ...given }];
  if ('print' in given) return [{ operation: 'print', root: given['print'] }];
  if (file === 'text') return [{ operation: 'parse', ...given }];
  if ('text' in given) return [{ operation: 'read', ...given }];
  const { input, ...options } = given;
  return [
    { operation: 'read', ...options, input },
    { operation: 'read', ...options, text: writeJson(input) },
  ];
}
