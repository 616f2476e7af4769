import { OperatorError } from '../operator-error.ts';
import type { ExportedTable } from './columns.ts';

export const MANIFEST = 'manifest.json';
/** Raised with the columns: all that was exported before is then exported again. */
const VERSION = 1;

/** Runs of a project and a month that are written together: a file for each table that has rows of them. */
export interface ExportedPart {
  readonly project: number;
  readonly month: string;
  readonly files: readonly ExportedFile[];
  /** Id, state and number of results of each run. */
  readonly runs: readonly (readonly [id: number, state: string, results: number])[];
}

export interface ExportedFile {
  readonly table: ExportedTable;
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
}

/** What is in an export. */
export interface Manifest {
  readonly version: number;
  /** Of which it is: ids of another one mean other runs. */
  readonly installation: string;
  /** The revisions of projects that are exported as they were then. */
  readonly projects: Readonly<Record<string, number>>;
  readonly parts: readonly ExportedPart[];
}

export const newManifest = (installation: string): Manifest => ({
  version: VERSION,
  installation,
  projects: {},
  parts: [],
});

export const writeManifest = (manifest: Manifest): string => {
  const { parts, ...head } = manifest;
  // A line for each part.
  const lines = parts.map((part) => `\n${JSON.stringify(part)}`).join();
  return `${JSON.stringify(head).slice(0, -1)},"parts":[${lines}\n]}\n`;
};

export const readManifest = (text: string, installation: string, place: string): Manifest => {
  let manifest;
  try {
    manifest = JSON.parse(text) as Manifest;
  } catch {
    throw new OperatorError(`${MANIFEST} in ${place} cannot be read: export to another place, or delete what is there`);
  }
  if (manifest.installation !== installation) {
    throw new OperatorError(`${place} has the export of another installation: export to another place`);
  }
  if (manifest.version > VERSION) {
    throw new OperatorError(`${place} was exported by a later version of Assay: export to another place`);
  }
  if (manifest.version === VERSION) return manifest;
  const parts = manifest.parts.map((part) => ({
    ...part,
    runs: part.runs.map(([id, , results]) => [id, '', results] as const),
  }));
  return { ...newManifest(installation), parts };
};
