import { isMainThread } from 'node:worker_threads';

/*
 * Loaded into the service with `--import`: the longest time for which its main thread, while watched, let nobody else in.
 * Counted in processor time, it is the same on a busy machine.
 */
const PAUSE_MS = 5;

if (isMainThread && process.send) {
  let longestMs = 0;
  let timer;
  const watch = () => {
    longestMs = 0;
    let last = process.threadCpuUsage();
    timer = setInterval(() => {
      const now = process.threadCpuUsage();
      longestMs = Math.max(longestMs, (now.user - last.user + now.system - last.system) / 1000);
      last = now;
    }, PAUSE_MS).unref();
  };
  process.on('message', (asked) => {
    if (asked === 'cpu') {
      const { user, system } = process.cpuUsage();
      process.send((user + system) / 1000);
    } else if (asked === 'watch') watch();
    else {
      // A service that something wakes all the time never gives back what it does not need.
      clearInterval(timer);
      process.send(longestMs);
    }
  });
  process.channel.unref();
}
