import { accountCommands } from './features/accounts/commands.ts';
import { adminCommands } from './features/admin/commands.ts';
import { auditCommands } from './features/audit/commands.ts';
import { causeCommands } from './features/causes/commands.ts';
import { clusterCommands } from './features/clusters/commands.ts';
import { commitCommands } from './features/commits/commands.ts';
import { fileCommands } from './features/files/commands.ts';
import { importCommands } from './features/import/commands.ts';
import { ingestCommands } from './features/ingest/commands.ts';
import { liveCommands } from './features/live/commands.ts';
import { movingCommands } from './features/moving/commands.ts';
import { outlineCommands } from './features/outlines/commands.ts';
import { partCommands } from './features/parts/commands.ts';
import { projectCommands } from './features/projects/commands.ts';
import { retentionCommands } from './features/retention/commands.ts';
import { runCommands } from './features/runs/commands.ts';
import { traceCommands } from './features/traces/commands.ts';
import { viewCommands } from './features/views/commands.ts';
import { jobCommands } from './jobs/commands.ts';
import { storageCommands } from './storage/commands.ts';
import type { AnyCommand } from './writer/run-thread.ts';

export const writerCommands: readonly AnyCommand[] = [
  accountCommands,
  adminCommands,
  auditCommands,
  causeCommands,
  clusterCommands,
  commitCommands,
  fileCommands,
  importCommands,
  ingestCommands,
  jobCommands,
  liveCommands,
  movingCommands,
  outlineCommands,
  partCommands,
  projectCommands,
  retentionCommands,
  runCommands,
  storageCommands,
  traceCommands,
  viewCommands,
].flatMap((commands) => Object.values(commands));
