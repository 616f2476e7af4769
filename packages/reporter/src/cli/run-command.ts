import { readFileSync } from 'node:fs';
import { messageOf } from '@assay/import';
import { printable } from '../output.ts';
import { runBisect } from './bisect.ts';
import { runFlush } from './flush.ts';
import { runGate } from './gate.ts';
import { BISECT_HELP, FLUSH_HELP, GATE_HELP, HELP, HISTORY_HELP, UPLOAD_HELP } from './help.ts';
import { runImportHistory } from './import-history.ts';
import { EXIT, type Exit, type Terminal } from './terminal.ts';
import { runUpload } from './upload.ts';

type Command = (args: string[], terminal: Terminal) => Promise<Exit>;

const COMMANDS: Readonly<Record<string, { readonly run: Command; readonly help: string }>> = {
  upload: { run: runUpload, help: UPLOAD_HELP },
  gate: { run: runGate, help: GATE_HELP },
  bisect: { run: runBisect, help: BISECT_HELP },
  flush: { run: runFlush, help: FLUSH_HELP },
  'import-history': { run: runImportHistory, help: HISTORY_HELP },
};

/** The command `assay`. Never rejects. */
export const runCommand = async (args: readonly string[], terminal: Terminal): Promise<Exit> => {
  const [name, ...rest] = args;
  const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name]! : null;
  if (command === null) return runWithout(name, terminal);
  const own = rest.slice(0, rest.includes('--') ? rest.indexOf('--') : rest.length);
  if (own.some((arg) => arg === '--help' || arg === '-h')) return print(command.help, terminal);
  try {
    return await command.run(rest, terminal);
  } catch (error) {
    terminal.stderr.write(printable(`assay ${name}: ${messageOf(error)}\n`));
    return EXIT.unclear;
  }
};

const runWithout = (name: string | undefined, terminal: Terminal): Exit => {
  if (name === '--version' || name === '-v') return print(`${readVersion()}\n`, terminal);
  if (name === '--help' || name === '-h' || name === 'help') return print(HELP, terminal);
  terminal.stderr.write(name === undefined ? HELP : `assay: there is no command ${name}; see assay --help\n`);
  return EXIT.unclear;
};

const print = (text: string, { stdout }: Terminal): Exit => {
  stdout.write(text);
  return EXIT.good;
};

/** What is published has all its files beside its manifest. */
const readVersion = (): string => {
  const path = import.meta.url.endsWith('.ts') ? '../../package.json' : './package.json';
  const { version } = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as { version: string };
  return version;
};
