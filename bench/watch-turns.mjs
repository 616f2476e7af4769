import { isMainThread } from 'node:worker_threads';

/*
 * Loaded into the service with `--import`: the longest time for which its main thread computed without letting others in.
 * Counted in processor time, it is the same on a busy machine.
 */
const PAUSE_MS = 5;

if (isMainThread && process.send) {
  let longestMs = 0;
  let last = process.threadCpuUsage();
  setInterval(() => {
    const now = process.threadCpuUsage();
    longestMs = Math.max(longestMs, (now.user - last.user + now.system - last.system) / 1000);
    last = now;
  }, PAUSE_MS).unref();
  process.on('message', (asked) => {
    if (asked === 'cpu') {
      const { user, system } = process.cpuUsage();
      process.send((user + system) / 1000);
      return;
    }
    process.send(longestMs);
    longestMs = 0;
  });
  process.channel.unref();
}
