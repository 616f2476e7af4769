import { readOptions } from '../src/options/read-options.ts';
import { flushNow } from '../src/spool/flush-now.ts';

const [serverUrl, spoolDir] = process.argv.slice(2);
const read = readOptions({ serverUrl, spoolDir, projectName: 'any' }, {});
if (!read.ok) throw new Error(read.problems.join('; '));
const { sent } = await flushNow(read.options, { say: () => undefined, progress: () => undefined });
process.stdout.write(String(sent.length));
