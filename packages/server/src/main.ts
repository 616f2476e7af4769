#!/usr/bin/env node
import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import { readConfig } from './config.ts';
import { collectAfterStart, manageHeap } from './garbage.ts';
import { OperatorError } from './operator-error.ts';

/** For the database to be closed once the last client is gone. */
const CLOSING_MS = 5_000;

const main = async ([command, ...args]: readonly string[]): Promise<void> => {
  // Hashes of passwords and everybody's results: for nobody else on the machine.
  process.umask(0o077);
  manageHeap();
  if (command === 'users') {
    const config = readConfig({ ...process.env, SERVICE_AUTH_ENABLED: 'false' });
    const { manageUsers } = await import('./cli/users.ts');
    return manageUsers(config, { args, input: process.stdin, print: (text) => void process.stdout.write(text) });
  }
  if (command === 'backup' || command === 'restore' || command === 'verify') {
    const config = readConfig({ ...process.env, SERVICE_AUTH_ENABLED: 'false' });
    const { manageBackups } = await import('./cli/backups.ts');
    return manageBackups(config, command, { args, print: (text) => void process.stdout.write(text), progress });
  }
  if (command === 'copy') {
    const { manageCopy } = await import('./cli/copy.ts');
    const readFilesUrl = (url: string) =>
      readConfig({ ...process.env, SERVICE_AUTH_ENABLED: 'false', SERVICE_FILES_URL: url }).s3!;
    return manageCopy({ args, print: (text) => void process.stdout.write(text), progress, readFilesUrl });
  }
  if (command === 'export') {
    const { manageExport } = await import('./cli/export.ts');
    const print = (text: string): void => void process.stdout.write(text);
    return manageExport({ args, environment: process.env, print, progress });
  }
  if (command !== undefined) {
    throw new OperatorError(
      `Unknown command "${command}"; there are "users", "backup", "restore", "verify", "copy" and "export", or none to start`,
    );
  }
  const config = readConfig(process.env);
  cacheCompiledCode(config.dataDir);
  const { startService } = await import('./start.ts');
  const starting = startService(config);
  let stopping = false;
  // From the beginning: it serves a moment before this program knows that it has started.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      setTimeout(giveUpStopping, config.drainMs + config.stopMs + CLOSING_MS).unref();
      starting
        .then((service) => service.stop())
        .then(
          () => process.exit(0),
          (error: unknown) => fail(error),
        );
    });
  }
  const service = await starting;
  if (process.stdout.isTTY) process.stderr.write(`\n  Assay is at ${service.url}\n\n`);
  collectAfterStart();
  await service.ready;
};

/** Only for people: a log would have thousands of lines. */
const progress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K  ${text}\r`);
};

/** Everything that is imported from here on, by threads too, is compiled at the first start only. */
const cacheCompiledCode = (dataDir: string): void => {
  enableCompileCache(join(dataDir, 'compile-cache'));
  process.env['NODE_COMPILE_CACHE'] = getCompileCacheDir() ?? '';
};

/** By a signal, since `exit` waits for threads; what is stored is as safe as after a power failure. */
const giveUpStopping = (): void => {
  process.stderr.write('assay-server: stopping took too long; what is stored is safe\n');
  process.kill(process.pid, 'SIGKILL');
};

const fail = (error: unknown): never => {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  process.stderr.write(`${error instanceof OperatorError ? `assay-server: ${message}` : stack}\n`);
  process.exit(1);
};

main(process.argv.slice(2)).catch(fail);
