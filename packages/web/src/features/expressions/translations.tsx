import type { Filterable, FilterLanguage } from '@assay/contract/filter';
import { readFilter } from '@assay/contract/filter-sql';
import { type Dialect, type Node, print, serialize } from '@assay/expression';
import { useMemo, useState } from 'react';
import { countOf } from '../../format/number.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Panel } from '../../ui/panel.tsx';
import { outlineOf } from './ask-row.ts';
import styles from './expressions-page.module.css';

interface Written {
  readonly text: string;
  readonly language: FilterLanguage;
  readonly fields: Filterable;
}

interface Props extends Written {
  readonly tree: Node;
}

const DATABASES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const satisfies Record<Dialect, string>;

/** An expression in its other forms. */
export const Translations = ({ tree, text, language, fields }: Props) => {
  const [now] = useState(Date.now);
  const code = useMemo(() => print(tree), [tree]);
  const envelope = useMemo(() => serialize(tree), [tree]);
  const outline = useMemo(() => outlineOf(tree), [tree]);
  return (
    <>
      <Panel title="SQL" padded note="For a table with a column for each field">
        <div className={styles['column']}>
          <Sql dialect="sqlite" {...{ text, language, fields, now }} />
          <Sql dialect="postgres" {...{ text, language, fields, now }} />
          {language === 'search' && code.includes('Date.now()') && (
            <p className={styles['quiet']}>Relative times count from when this page was opened.</p>
          )}
        </div>
      </Panel>
      <Panel title="Tree" padded note={countOf(outline.split('\n').length, 'node')}>
        <div className={styles['tall']}>
          <CodeBlock what="the outline" text={outline} />
        </div>
      </Panel>
      <Panel title="JSON" padded note="What programs store and send">
        <div className={styles['tall']}>
          <CodeBlock what="the envelope" text={JSON.stringify(envelope, null, 2)} />
        </div>
      </Panel>
      <Panel title="JavaScript" padded>
        <div className={styles['wrapped']}>
          <CodeBlock what="the JavaScript" text={code} />
        </div>
      </Panel>
    </>
  );
};

const Sql = ({
  dialect,
  text,
  language,
  fields,
  now,
}: Written & { readonly dialect: Dialect; readonly now: number }) => {
  const sql = useMemo(() => {
    const columns = Object.fromEntries(Object.keys(fields.fields).map((name) => [name, name]));
    const filter = readFilter(text, fields, { language, now, table: { dialect, columns } });
    return filter.ok ? filter.sql! : null;
  }, [dialect, text, language, fields, now]);
  return (
    sql && (
      <section aria-label={DATABASES[dialect]} className={styles['sql']}>
        <h3>{DATABASES[dialect]}</h3>
        <div className={styles['wrapped']}>
          <CodeBlock what={`the condition for ${DATABASES[dialect]}`} text={sql.condition} />
        </div>
        <p>
          {sql.params.length === 0 ? 'No parameters.' : 'Parameters: '}
          {sql.params.map((value, at) => (
            <span key={at}>
              {at > 0 && ', '}
              <code>{JSON.stringify(value)}</code>
            </span>
          ))}
        </p>
        <p>
          {sql.residual === null ? (
            'No residual: the database answers all of it.'
          ) : (
            <>
              Residual, to be evaluated over the rows that the database returns: <code>{print(sql.residual)}</code>
            </>
          )}
        </p>
      </section>
    )
  );
};
