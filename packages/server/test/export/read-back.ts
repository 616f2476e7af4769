import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExportFormat } from '@assay/contract';
import { importFiles } from '@assay/import';
import { expect } from 'vitest';

export const exportRun = async (url: string, id: number, format: ExportFormat): Promise<Response> => {
  const answer = await fetch(`${url}/api/test-runs/${id}/export?format=${format}`);
  expect(answer.status).toBe(200);
  return answer;
};

/** What our importers make of a report. */
export const readBack = async (report: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-export-'));
  try {
    const path = join(folder, 'report');
    writeFileSync(path, report);
    const read = await importFiles([path], { root: folder });
    if (!read.ok) throw new Error(read.problems.join('\n'));
    expect(read.warnings).toEqual([]);
    expect(read.runs).toHaveLength(1);
    return { formats: [...read.formats.keys()], ...read.runs[0]! };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
