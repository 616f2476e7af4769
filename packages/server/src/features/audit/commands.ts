import { stepCommand } from '../../writer/command.ts';
import { trimAudit } from './trim-audit.ts';

export const auditCommands = {
  trimAudit: stepCommand('trimAudit', ({ database }, { before }: { readonly before: number }) =>
    trimAudit(database, before),
  ),
};
