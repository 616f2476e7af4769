import type { Environment } from '../environment.ts';

/** What a command may touch of the process that it runs in. */
export interface Terminal {
  readonly env: Environment;
  readonly cwd: string;
  /** For what was asked for; everything else is said to `stderr`. */
  readonly stdout: Pick<NodeJS.WriteStream, 'write'>;
  readonly stderr: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>;
}

/** What CI sees of a command. */
export const EXIT = {
  good: 0,
  /** A rule is broken, or with `--strict` something was not sent. */
  bad: 1,
  /** The command was used wrongly, or cannot tell. */
  unclear: 2,
} as const;
export type Exit = (typeof EXIT)[keyof typeof EXIT];
