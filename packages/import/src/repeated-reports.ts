import { dirname } from 'node:path';
import type { SubmittedCase } from '@assay/contract';
import { isFailure } from './build-case.ts';
import type { Imported } from './imported.ts';
import type { Format } from './recognise.ts';

interface ReadFile {
  readonly format: Format;
  readonly name: string;
  readonly imported: Imported;
}

export interface Distinct<F> {
  readonly files: readonly F[];
  /** Files that say again what others say, each with one of those. */
  readonly repeats: readonly { readonly name: string; readonly of: string }[];
}

/** Tools write the same results several times: TestNG in three forms, Ant once for each class and once for all. */
export const withoutRepeats = <F extends ReadFile>(files: readonly F[]): Distinct<F> => {
  const repeats: { name: string; of: string }[] = [];
  if (!files.some(({ format }) => format === 'JUnit XML')) return { files, repeats };
  const left = new Set(files);
  const leaveOut = (file: F, of: F): void => {
    left.delete(file);
    repeats.push({ name: file.name, of: of.name });
  };
  for (const [file, of] of formsOfTestng(files)) leaveOut(file, of);
  const junit = files.filter((file) => file.format === 'JUnit XML' && file.imported.cases.length > 0);
  if (junit.length < 2) return { files: [...left], repeats };
  const byFirstResult = new Map<string, F[]>();
  for (const file of junit) {
    const first = resultOf(file.imported.cases[0]!);
    const others = byFirstResult.get(first);
    if (others === undefined) byFirstResult.set(first, [file]);
    else others.push(file);
  }
  for (const file of junit) {
    if (!left.has(file)) continue;
    const [first] = partsOf(file, (result) => byFirstResult.get(result)?.filter((other) => left.has(other)) ?? []);
    if (first !== undefined) leaveOut(file, first);
  }
  return { files: [...left], repeats };
};

/** JUnit files below the folder of a `testng-results.xml` that tell no test, and nothing bad of one, that it does not. */
const formsOfTestng = <F extends ReadFile>(files: readonly F[]): [F, F][] =>
  files
    .filter(({ format }) => format === 'TestNG')
    .flatMap((testng) => {
      const folder = `${dirname(testng.name)}/`;
      const told = new Set(testng.imported.cases.map(methodOf));
      // Older versions write what was skipped or repeated as an error there.
      const wavering = new Set(testng.imported.cases.filter(isNotClean).map(methodOf));
      return files
        .filter(({ format, name, imported: { cases } }) => {
          if (format !== 'JUnit XML' || !isBelow(folder, name) || cases.length === 0) return false;
          return cases.every((one) => (isFailure(one.status) ? wavering : told).has(methodOf(one)));
        })
        .map((file): [F, F] => [file, testng]);
    });

const isBelow = (folder: string, name: string): boolean => folder === './' || name.startsWith(folder);

const isNotClean = ({ status, retries }: SubmittedCase): boolean => status !== 'passed' || (retries ?? 0) > 0;

/** Without the parameters, which each form writes in its own way. */
const methodOf = ({ location, title }: SubmittedCase): string => `${location}\n${title.replace(/[[({].*$/s, '')}`;

/** The files whose results, put together, are just those of this one, from the same start. */
const partsOf = <F extends ReadFile>(whole: F, beginningWith: (result: string) => readonly F[]): F[] => {
  const { cases, startTimeMs } = whole.imported;
  if (startTimeMs === null) return [];
  const counts = countsOf(cases);
  const parts: F[] = [];
  for (const other of [...counts.keys()].flatMap(beginningWith)) {
    if (other === whole || other.imported.cases.length > cases.length) continue;
    const inside = countsOf(other.imported.cases);
    if ([...inside].some(([result, count]) => (counts.get(result) ?? 0) < count)) continue;
    for (const [result, count] of inside) counts.set(result, counts.get(result)! - count);
    parts.push(other);
  }
  const isWhole = [...counts.values()].every((count) => count === 0);
  const earliest = parts.reduce((least, { imported }) => Math.min(least, imported.startTimeMs ?? Infinity), Infinity);
  return isWhole && earliest === startTimeMs ? parts : [];
};

const countsOf = (cases: readonly SubmittedCase[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const one of cases) counts.set(resultOf(one), (counts.get(resultOf(one)) ?? 0) + 1);
  return counts;
};

const resultOf = ({ location, title, status, duration }: SubmittedCase): string =>
  JSON.stringify([location, title, status, duration]);
