import { runEvents } from '../../events.ts';
import { transactionCommand } from '../../writer/command.ts';
import { addReport } from './add-report.ts';
import type { UploadedReport } from './store-files.ts';

interface AddReport {
  readonly runId: number;
  readonly report: UploadedReport;
}

export const fileCommands = {
  addReport: transactionCommand(
    'addReport',
    (transaction, { runId, report }: AddReport, { now }) => addReport(transaction, runId, report, now),
    ({ projectId }, { runId }) => runEvents('changed', projectId, runId),
  ),
};
