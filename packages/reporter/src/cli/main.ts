#!/usr/bin/env node
import { manageHeap } from '@assay/import';
import { environment } from '../environment.ts';
import { runCommand } from './run-command.ts';

manageHeap();
process.exitCode = await runCommand(process.argv.slice(2), {
  env: environment(),
  cwd: process.cwd(),
  stdout: process.stdout,
  stderr: process.stderr,
});
