import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findPostgres, ordinaryUser } from './binaries.ts';

/**
 * Runs a PostgreSQL of its own in a temporary folder for as long as a test run lasts: until its shared folder or its
 * process is gone. Writes how to reach it as one line of JSON.
 */
const keep = async (watchedFolder: string, watchedPid: number, fsync: string): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-postgres-'));
  try {
    const server = await start(folder, fsync);
    while (existsSync(watchedFolder) && isRunning(watchedPid) && server.exitCode === null) await delay(250);
    // Fast shutdown: open connections are ended.
    server.kill('SIGINT');
    if (server.exitCode === null) await once(server, 'exit');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const start = async (folder: string, fsync: string): Promise<ChildProcess> => {
  const user = ordinaryUser();
  const binaries = readable(findPostgres(), folder, user);
  const password = randomBytes(16).toString('hex');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password);
  if (user) for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid);

  const data = join(folder, 'data');
  const cluster = ['--locale=C', '--encoding=UTF8', '--no-sync', '--username=assay', '--auth=scram-sha-256'];
  const made = spawnSync(join(binaries, 'initdb'), [...cluster, `--pwfile=${passwordFile}`, '-D', data], {
    ...user,
    cwd: folder,
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);

  const port = await freePort();
  const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '', fsync, full_page_writes: fsync };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(binaries, 'postgres'), ['-D', data, ...options], { ...user, cwd: folder, stdio: 'ignore' });
  process.stdout.write(`${JSON.stringify({ port, password })}\n`);
  return server;
};

/** An ordinary user cannot read what lies below a home folder of root; such a user gets a copy. */
const readable = (binaries: string, folder: string, user: { uid: number; gid: number } | undefined): string => {
  if (!user || spawnSync(join(binaries, 'postgres'), ['--version'], { ...user, cwd: '/' }).status === 0)
    return binaries;
  cpSync(dirname(binaries), join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
  return join(folder, 'native/bin');
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const [watchedFolder, watchedPid, fsync] = process.argv.slice(2);
await keep(watchedFolder!, Number(watchedPid), fsync!).catch((error: Error) => {
  process.stdout.write(`${JSON.stringify({ error: error.message })}\n`);
  process.exitCode = 1;
});
