import { outputTo } from '../output.ts';
import { flushEach, flushNow } from '../spool/flush-now.ts';
import { reportFlushed } from '../spool/send-kept.ts';
import { SERVICE_FLAGS, UsageError, readArguments, readCommandOptions } from './read-arguments.ts';
import { EXIT, type Exit, type Terminal } from './terminal.ts';

export const runFlush = async (args: string[], { env, stderr }: Terminal): Promise<Exit> => {
  const output = outputTo(stderr);
  const { values, positionals } = readArguments(args, { ...SERVICE_FLAGS, strict: { type: 'boolean' } });
  if (positionals.length > 0) throw new UsageError('takes no files; see assay flush --help');
  const given = { serverUrl: values.url, apiKey: values['api-key'] };
  const options = readCommandOptions(given, env, { serverUrl: false, projectName: false });
  // Whoever names a service on the command line wants what waits to go there, whatever it was meant for.
  const flushed = values.url === undefined ? await flushEach(options, output) : await flushNow(options, output, true);
  const { sent, superseded, left } = flushed;
  reportFlushed(flushed, output);
  if (sent.length + superseded.length + left === 0) output.say('Assay: nothing was waiting');
  return left + superseded.length > 0 && values.strict ? EXIT.bad : EXIT.good;
};
