import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { countOf, formatBytes } from '../../format/number.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { foldSame, type ShownLine } from './fold-same.ts';
import type { TextComparison } from './group-attachments.ts';
import { diffLines } from './line-diff.ts';
import { Download } from './showing.tsx';
import { Folded, Limits } from './text-attachment.tsx';
import { askText } from './texts.ts';
import styles from './text-comparison.module.css';

const LINES = 200;
const SIGNS = { same: ' ', removed: '-', added: '+' } as const;

/** What was expected and what came, line by line. */
export const TextComparisonRow = ({ comparison }: { readonly comparison: TextComparison }) => {
  const { name, expected, actual } = comparison;
  return (
    <Folded
      name={name}
      about={`expected ${formatBytes(expected.size)} · actual ${formatBytes(actual.size)} · attempt\u00A0${actual.attempt + 1}`}
      tools={
        <span className={styles['files']}>
          <Download attachment={expected} what="expected" /> <Download attachment={actual} what="actual" />
        </span>
      }
    >
      <Compared comparison={comparison} />
    </Folded>
  );
};

const Compared = ({ comparison: { expected, actual } }: { readonly comparison: TextComparison }) => {
  const first = useQuery(askText(expected));
  const second = useQuery(askText(actual));
  return (
    <Loaded query={first} rows={3}>
      {(before) => (
        <Loaded query={second} rows={3}>
          {(after) => (
            <>
              <Limits read={before} attachment={expected} />
              <Limits read={after} attachment={actual} />
              {!before.isBinary && !after.isBinary && <Lines before={before.text} after={after.text} />}
            </>
          )}
        </Loaded>
      )}
    </Loaded>
  );
};

const Lines = ({ before, after }: { readonly before: string; readonly after: string }) => {
  const [whole, setWhole] = useState(false);
  const lines = useMemo(() => foldSame(diffLines(before, after)), [before, after]);
  if (before === after) return <p>The texts are equal.</p>;
  const shown = whole ? lines : lines.slice(0, LINES);
  return (
    <div>
      <pre className={styles['lines']} aria-label="Difference: removed lines begin with -, added ones with +">
        {shown.map((line, at) => (
          <Line key={at} line={line} />
        ))}
      </pre>
      {shown.length < lines.length && (
        <Button small onClick={() => setWhole(true)}>
          Show {countOf(lines.length - shown.length, 'more line')}
        </Button>
      )}
    </div>
  );
};

const Line = ({ line }: { readonly line: ShownLine }) =>
  line.kind === 'folded' ? (
    <span className={styles['folded']}>{`${countOf(line.count, 'equal line')}\n`}</span>
  ) : (
    <span className={classNames(styles['line'], styles[line.kind])}>{`${SIGNS[line.kind]} ${line.text}\n`}</span>
  );
