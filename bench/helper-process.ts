import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

export interface HelperProcess<T> {
  /** What it tells once it is ready. */
  readonly told: T;
  stop(): Promise<void>;
}

/** Starts a file of this folder that sends one message when it is ready. */
export const startHelper = async <T>(script: string, ...args: string[]): Promise<HelperProcess<T>> => {
  const child: ChildProcess = fork(join(import.meta.dirname, script), args);
  const told = await new Promise<T>((resolve, reject) => {
    child.once('message', (message) => resolve(message as T));
    child.once('exit', () => reject(new Error(`${script} ended early`)));
  });
  return {
    told,
    async stop() {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await exited;
    },
  };
};
