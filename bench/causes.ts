import { errorCause } from '../packages/contract/src/error-cause.ts';
import { LABELLED_SETS, labelErrors, measureGrouping } from '../packages/testkit/src/index.ts';
import type { Row } from './figures.ts';

const SEEDS = 50;
const NAMES: Record<keyof typeof LABELLED_SETS, string> = {
  runners: 'Errors of runners and services',
  hotel: 'Errors of another project',
  heldOut: 'Errors of tools that were held out',
  foreign: 'Lines of system logs',
};

/** How well the causes of errors group errors whose causes are known: the mean and the worst of many seeds. */
export const causeRows = (): Row[] =>
  Object.entries(LABELLED_SETS).flatMap(([set, templates]): Row[] => {
    const name = NAMES[set as keyof typeof LABELLED_SETS];
    const measured = Array.from({ length: SEEDS }, (_, seed) =>
      measureGrouping(labelErrors(templates, seed), errorCause),
    );
    const figures = (of: 'accuracy' | 'f1'): string => {
      const all = measured.map((grouping) => grouping[of]);
      const mean = all.reduce((sum, one) => sum + one, 0) / all.length;
      return `${(100 * mean).toFixed(1)} %, worst ${(100 * Math.min(...all)).toFixed(1)} %`;
    };
    const wrongJoins = measured.reduce((sum, grouping) => sum + grouping.wrongJoins.length, 0);
    const ofErrors = set !== 'foreign';
    return [
      {
        what: `${name}, ${measured[0]!.causes} causes: grouping accuracy`,
        measured: figures('accuracy'),
        ...(ofErrors ? { limit: '87 %', ok: measured.every(({ accuracy }) => accuracy >= 0.87) } : {}),
      },
      {
        what: `${name}: pairwise F1`,
        measured: figures('f1'),
        ...(ofErrors ? { limit: '98 %', ok: measured.every(({ f1 }) => f1 >= 0.98) } : {}),
      },
      { what: `${name}: wrong joinings`, measured: String(wrongJoins), limit: '0', ok: wrongJoins === 0 },
    ];
  });
