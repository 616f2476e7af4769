import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SAMPLES } from '../../../import/test/read-sample.ts';
import { COMMAND } from '../built-reporter.ts';

export const ROOT = join(import.meta.dirname, '../../../..');

/** What the documents take for granted that a reader has. */
export const hasTools = (): boolean =>
  ['bash', 'curl', 'zip', 'openssl'].every((tool) => spawnSync(tool, ['--help']).error === undefined);

export interface Snippet {
  readonly language: string;
  readonly text: string;
}

export const readDocument = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The blocks of code of a document, in their order. */
export const snippetsOf = (path: string): Snippet[] =>
  [...readDocument(path).matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language, content]) => ({
    language: language!,
    text: content!,
  }));

/** A folder in which a reader of the documents would be. */
export interface Desk {
  readonly folder: string;
  write(path: string, content: string): void;
  /** Puts a sample report there. */
  place(sample: string, path: string): void;
  /** Runs a snippet as it stands; what it needs of the world beside the service is here. */
  run(snippet: string): Promise<Ended>;
  [Symbol.dispose](): void;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `curl` says when the service refuses; `npx` finds what a package manager would have installed. */
const PRELUDE = `
set -eu
curl() { command curl -sS --fail-with-body "$@"; echo; }
assay() { "$NODE" "$ASSAY_MAIN" "$@"; }
npx() {
  while [ "$1" = -y ] || [ "$1" = -p ]; do
    if [ "$1" = -p ]; then [[ "$2" =~ ^(@assay/reporter|http.*/assay-reporter.tgz)$ ]]; shift; fi
    shift
  done
  [ "$1" = assay ]; shift
  assay "$@"
}
`;

export const createDesk = (url: string, more: Readonly<Record<string, string>> = {}): Desk => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-docs-'));
  mkdirSync(join(folder, '.git'));
  const env = {
    PATH: process.env['PATH'],
    NODE: process.execPath,
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    ASSAY_MAIN: COMMAND,
    ASSAY_SPOOL_DIR: join(folder, '.spool'),
    ASSAY_URL: url,
    ...more,
  };
  const fill = (path: string, put: (file: string) => void): void => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    put(file);
  };
  return {
    folder,
    write: (path, content) => fill(path, (file) => writeFileSync(file, content)),
    place: (sample, path) => fill(path, (file) => cpSync(join(SAMPLES, sample), file, { recursive: true })),
    async run(snippet) {
      const script = PRELUDE + snippet.replaceAll(/(?:http:\/\/)?localhost:3000/g, url);
      const child = spawn('bash', ['-c', script], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
      const code = new Promise<number | null>((resolve) => child.once('close', resolve));
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
      return { code: await code, stdout, stderr };
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
};
