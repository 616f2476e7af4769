import type { Random } from '../random.ts';

const some = (random: Random, most: number, frame: () => string): string =>
  Array.from({ length: random.integer(1, most) }, frame).join('\n');

/** Frames of runners and libraries, of which there are more or fewer from error to error. */
export const FRAMES: Readonly<Record<string, (random: Random) => string>> = {
  nodeFrames: (random) =>
    some(random, 6, () =>
      random.pick([
        '    at process.processTicksAndRejections (node:internal/process/task_queues:‹line›)',
        '    at async Promise.all (index ‹n›)',
        '    at ‹root›/node_modules/.pnpm/undici@7.‹n›.0/node_modules/undici/index.js:‹line›',
        '    at new Promise (<anonymous>)',
      ]),
    ),
  javaFrames: (random) =>
    some(random, 30, () =>
      random.pick([
        '\tat java.base/java.lang.reflect.Method.invoke(Method.java:‹row›)',
        '\tat org.junit.platform.engine.support.hierarchical.NodeTestTask.lambda$execute$‹count›(NodeTestTask.java:‹row›)',
        '\tat org.springframework.aop.framework.ReflectiveMethodInvocation.proceed(ReflectiveMethodInvocation.java:‹row›)',
        '\tat com.acme.shop.support.Retry.run(Retry.java:‹row›)',
      ]),
    ),
  moreFrames: () => '\t... ‹count› more',
  pythonFrames: (random) =>
    some(random, 4, () =>
      random.pick([
        '  File "‹root›/shop/client.py", line ‹row›, in call\n    return self._send(request)',
        '  File "/usr/lib/python3.12/site-packages/httpx/_client.py", line ‹row›, in send\n    response = self._send_handling_auth(',
      ]),
    ),
  dotnetFrames: (random) =>
    some(random, 5, () =>
      random.pick([
        '   at System.Threading.Tasks.Task.Execute()',
        '   at Xunit.Sdk.TestInvoker`1.<InvokeTestMethodAsync>d__‹count›.MoveNext()',
        '   at Shop.Support.Retry.Run() in ‹root›/Support/Retry.cs:line ‹row›',
      ]),
    ),
  goFrames: (random) =>
    some(
      random,
      4,
      () =>
        'goroutine ‹n› [running]:\ntesting.tRunner(‹memory›, ‹memory›)\n\t/usr/local/go/src/testing/testing.go:‹row› +‹memory›',
    ),
  clickLog: (random) =>
    some(random, 5, () =>
      random.pick([
        '    - locator resolved to <button type="submit" id="b-‹hex6›">…</button>',
        '    ‹count› × waiting for element to be visible, enabled and stable',
        '    - retrying click action',
        '    - waiting ‹ms›ms',
        '    - scrolling into view if needed',
      ]),
    ),
};
