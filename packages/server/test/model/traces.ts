import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TraceContents, readTrace } from '../../src/traces/read-trace.ts';
import { zipOf } from '../files/archives.ts';
import { newFolder } from '../robustness/service-process.ts';
import { jsonLines } from '../traces/trace-zip.ts';
import type { ModelCase } from './model.ts';

/** A small trace that tells its name, and what is in it. */
export const traceOf = async (name: string): Promise<{ zip: Buffer; contents: TraceContents }> => {
  const zip = await zipOf({
    'trace.trace': jsonLines(
      { version: 8, type: 'context-options', browserName: 'chromium', wallTime: 1, monotonicTime: 0 },
      { type: 'before', callId: 'call@1', startTime: 5, class: 'Page', method: 'goto', params: { url: '/' } },
      { type: 'after', callId: 'call@1', endTime: 25 },
      { type: 'console', messageType: 'error', text: `of ${name}`, time: 7, location: { url: '', lineNumber: 1 } },
    ),
    'trace.network': jsonLines({
      type: 'resource-snapshot',
      snapshot: {
        _monotonicTime: 6,
        time: 12,
        request: { method: 'GET', url: `https://shop.test/of/${name}` },
        response: { status: 200, content: { mimeType: 'application/json' } },
      },
    }),
  });
  using folder = newFolder();
  const path = join(folder.path, 'trace.zip');
  writeFileSync(path, zip);
  const reading = await readTrace(path);
  if (!reading.ok) throw new Error(reading.reason);
  return { zip, contents: reading.contents };
};

/** What a trace says stands where its case said nothing. */
export const withTrace = (traced: ModelCase, contents: TraceContents): ModelCase => ({
  ...traced,
  steps: traced.steps?.length ? traced.steps : contents.steps,
  networkRequests: traced.networkRequests?.length ? traced.networkRequests : contents.requests,
  console: traced.console?.length ? traced.console : contents.console,
  traces: 1,
});
