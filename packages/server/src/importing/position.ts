import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/* Which of the files of a task is being read. It is kept in a file, so that it is known when the process has ended. */

const fileIn = (taskDir: string): string => join(taskDir, 'position');

export const writePosition = (taskDir: string, position: number): void =>
  writeFileSync(fileIn(taskDir), String(position));

/** The first when none was begun. */
export const readPosition = (taskDir: string): number => {
  try {
    return Number(readFileSync(fileIn(taskDir), 'utf8'));
  } catch {
    return 0;
  }
};
