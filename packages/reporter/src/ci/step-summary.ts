import { appendFile } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';
import type { SubmittedCase } from '@assay/contract';
import { outcomeOf } from '@assay/contract/outcome';
import { countFlaky } from '../delivery/counts.ts';
import type { Delivery, Outcome } from '../delivery/delivery.ts';
import type { Environment } from '../environment.ts';

const MOST_FAILURES = 20;
const LONGEST_REASON = 200;

/** Adds to the summary of a GitHub job where there is one. Never rejects. */
export const writeStepSummary = async (delivery: Delivery, outcome: Outcome, env: Environment): Promise<void> => {
  const path = env['GITHUB_STEP_SUMMARY'];
  if (!path) return;
  await appendFile(path, buildStepSummary(delivery, outcome)).catch(() => undefined);
};

export const buildStepSummary = ({ submission }: Delivery, outcome: Outcome): string => {
  const { projectName, status, shard, totalTests, passedTests, failedTests, skippedTests, testCases } = submission;
  const cases = testCases ?? [];
  const name = plain(projectName) + (shard ? `, shard ${shard.index} of ${shard.total}` : '');
  const where =
    outcome.kind === 'sent'
      ? `[Open the run in Assay](${outcome.url})`
      : `${outcome.kind === 'superseded' ? 'Not stored by' : 'Not sent to'} Assay: ${plain(outcome.why)}${outcome.kind === 'kept' ? ' (kept for later)' : ''}`;
  return [
    `### ${name}: ${plain(status)}`,
    '',
    '| Tests | Passed | Failed | Flaky | Skipped |',
    '|---|---|---|---|---|',
    `| ${totalTests ?? 0} | ${passedTests ?? 0} | ${failedTests ?? 0} | ${countFlaky(cases)} | ${skippedTests ?? 0} |`,
    '',
    ...failureLines(cases),
    where,
    '',
    '',
  ].join('\n');
};

const failureLines = (cases: readonly SubmittedCase[]): string[] => {
  const failed = cases.filter(({ status }) => outcomeOf(status) === 'failed');
  if (failed.length === 0) return [];
  const lines = failed.slice(0, MOST_FAILURES).map(({ title, browser, error }) => {
    const reason = plain(error?.split('\n')[0] ?? '').slice(0, LONGEST_REASON);
    const where = typeof browser === 'string' ? ` (${plain(browser)})` : '';
    return `- ${plain(title)}${where}${reason ? `: ${reason}` : ''}`;
  });
  if (failed.length > MOST_FAILURES) lines.push(`- and ${failed.length - MOST_FAILURES} more`);
  return [...lines, ''];
};

/** Without colours, and with nothing that Markdown or HTML would understand. */
const plain = (text: string): string =>
  stripVTControlCharacters(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_{}[\]<>#|&]/g, (character) => `\\${character}`)
    .replaceAll('\\&', '&amp;')
    .replaceAll('\\<', '&lt;')
    .trim();
