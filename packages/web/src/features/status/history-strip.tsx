import styles from './history-strip.module.css';

const HEIGHT = 18;
const STEP = 5;

/** From top and height of the parts of a bar. High is bad, so that it reads without colours; a flaky one is broken. */
const BARS: Readonly<Record<string, readonly (readonly [top: number, height: number])[]>> = {
  F: [[0, 18]],
  K: [
    [5, 7],
    [14, 4],
  ],
  P: [[10, 8]],
  S: [[14, 4]],
  O: [[14, 4]],
  '-': [[16, 2]],
};

/**
 * The latest results of a test, oldest first; where there is little room, the oldest are cut off. One path for each kind:
 * long lists have hundreds of strips.
 */
export const HistoryStrip = ({ history }: { readonly history: string }) => {
  const label = describe(history);
  const width = Math.max(0, history.length * STEP - 1);
  return (
    <svg
      className={styles['strip']}
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="xMaxYMid slice"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      {Object.entries(pathsOf(history)).map(([letter, path]) => (
        <path key={letter} data-look={letter} d={path} />
      ))}
    </svg>
  );
};

const pathsOf = (history: string): Record<string, string> => {
  const paths: Record<string, string> = {};
  for (const [at, letter] of [...history].entries()) {
    for (const [top, height] of BARS[letter] ?? [])
      paths[letter] = `${paths[letter] ?? ''}M${at * STEP} ${top}h4v${height}h-4z`;
  }
  return paths;
};

const describe = (history: string): string => {
  const count = (letter: string): number => history.split(letter).length - 1;
  const parts = [
    [count('F'), 'failed'],
    [count('K'), 'flaky'],
    [count('P'), 'passed'],
    [count('S'), 'skipped'],
  ] as const;
  const told = parts.filter(([n]) => n > 0).map(([n, word]) => `${n} ${word}`);
  return `Of the latest ${history.length} runs: ${told.join(', ') || 'none'}`;
};
