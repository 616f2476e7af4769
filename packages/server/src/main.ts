#!/usr/bin/env node
import { UsageError, manageUsers } from './cli/users.ts';
import { ConfigError, readConfig } from './config.ts';
import { DataFolderError } from './context.ts';
import { MigrationError } from './db/migrate.ts';
import { collectAfterStart } from './garbage.ts';
import { ListenError, startService } from './start.ts';

/** For the database to be closed once the last client is gone. */
const CLOSING_MS = 5_000;

const main = async ([command, ...args]: readonly string[]): Promise<void> => {
  // Hashes of passwords and everybody's results: for nobody else on the machine.
  process.umask(0o077);
  if (command === 'users') {
    const config = readConfig({ ...process.env, SERVICE_AUTH_ENABLED: 'false' });
    return manageUsers(config, { args, input: process.stdin, print: (text) => void process.stdout.write(text) });
  }
  if (command !== undefined) throw new UsageError(`Unknown command "${command}"; there is "users", or none to start`);
  const config = readConfig(process.env);
  const service = await startService(config);
  if (process.stdout.isTTY) process.stderr.write(`\n  Assay is at ${service.url}\n\n`);
  collectAfterStart();
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      setTimeout(giveUpStopping, config.stopMs + CLOSING_MS).unref();
      service.stop().then(
        () => process.exit(0),
        (error: unknown) => fail(error),
      );
    });
  }
};

/** By a signal, since `exit` waits for threads; what is stored is as safe as after a power failure. */
const giveUpStopping = (): void => {
  process.stderr.write('assay-server: stopping took too long; what is stored is safe\n');
  process.kill(process.pid, 'SIGKILL');
};

/** What the operator can mend is one line; anything else keeps its stack. */
const fail = (error: unknown): never => {
  const forOperators = [ConfigError, DataFolderError, MigrationError, ListenError, UsageError].some(
    (kind) => error instanceof kind,
  );
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  process.stderr.write(`${forOperators ? `assay-server: ${message}` : stack}\n`);
  process.exit(1);
};

main(process.argv.slice(2)).catch(fail);
