import { type Filterable, type FilterLanguage, readFilterText } from '@assay/contract/filter';
import { print } from '@assay/expression';
import { useCallback, useDeferredValue, useMemo, useRef } from 'react';
import { useAddressChoice } from '../../address.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { TextAreaField } from '../../ui/field.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { countValues, type LoadedValues } from '../filter/completions.ts';
import { FilterBox } from '../filter/filter-box.tsx';
import { readText } from '../filter/read-filter.ts';
import { type FilterState, useFilterText } from '../filter/use-filter.ts';
import { askRow } from './ask-row.ts';
import { RowAnswers } from './row-answers.tsx';
import { FIELDS, MOST_ROWS, type ReadRows, SAMPLES } from './sample-rows.ts';
import { Translations } from './translations.tsx';
import { type RowsState, useRows } from './use-rows.ts';
import styles from './expressions-page.module.css';

const LANGUAGES = ['search', 'js'] as const;
const LANGUAGE_NAMES: Record<FilterLanguage, string> = { search: 'Search', js: 'JavaScript' };
const SAMPLE_NAMES = { results: 'Results', runs: 'Runs', tests: 'Tests' } as const;

/** Tries an expression on sample rows and shows it in all its forms. The address has all of it, to be shared. */
export const ExpressionsPage = () => {
  const [sample] = useAddressChoice('over', SAMPLES, 'results');
  const [language] = useAddressChoice('as', LANGUAGES, 'search');
  const fields = FIELDS[sample];
  const state = useFilterText(useCallback((text) => readText(text, fields, language), [fields, language]));
  const rows = useRows(sample);
  const loaded = useMemo(() => valuesIn(rows.read, fields), [rows.read, fields]);
  const switchTo = useLanguageSwitch(state, fields);
  return (
    <Page
      title="Expressions"
      crumbs={[{ label: 'API documentation', to: paths.docs() }]}
      about="What filters and programs ask of results, runs and tests."
      actions={<CopyButton text={window.location.href} what="link" label="Copy link" />}
    >
      <div className={styles['tools']}>
        <Choice
          label="Rows"
          value={sample}
          options={SAMPLES.map((value) => ({ value, label: SAMPLE_NAMES[value] }))}
          onChange={(over) => state.put(state.text, { over: over === 'results' ? '' : over, rows: '' })}
        />
        <Choice
          label="Language"
          value={language}
          options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
          onChange={switchTo}
        />
        <FilterBox
          label="Expression"
          state={state}
          catalogue={fields}
          loaded={loaded}
          examples={useMemo(() => examplesIn(language, fields), [language, fields])}
          language={language}
          exact
        />
      </div>
      <Outcome state={state} language={language} fields={fields} rows={rows} />
    </Page>
  );
};

interface OutcomeProps {
  readonly state: FilterState;
  readonly language: FilterLanguage;
  readonly fields: Filterable;
  readonly rows: RowsState;
}

const Outcome = ({ state, language, fields, rows }: OutcomeProps) => {
  const text = useDeferredValue(state.text);
  const filter = useMemo(() => readFilterText(text, fields, { language }), [text, fields, language]);
  const answers = useMemo(
    () => (filter.ok && rows.read.ok ? rows.read.rows.slice(0, MOST_ROWS).map((row) => askRow(filter.tree, row)) : []),
    [filter, rows.read],
  );
  const isEmpty = text.trim() === '';
  return (
    <div className={styles['layout']}>
      {filter.ok && !isEmpty && rows.read.ok && (
        <div className={styles['answered']}>
          <RowAnswers tree={filter.tree} answers={answers} />
        </div>
      )}
      <div className={styles['forms']}>
        {isEmpty ? (
          <Panel>
            <Empty title="No expression">Type one above, or take an example: Tab completes names and values.</Empty>
          </Panel>
        ) : filter.ok ? (
          <Translations tree={filter.tree} {...{ text, language, fields }} />
        ) : (
          <Panel>
            <Empty title="This cannot be read yet">
              Change what is underlined above, or clear it and take an example.
            </Empty>
          </Panel>
        )}
      </div>
      <div className={styles['samples']}>
        <SampleRows rows={rows} fields={fields} />
      </div>
    </div>
  );
};

const SampleRows = ({ rows, fields }: { readonly rows: RowsState; readonly fields: Filterable }) => (
  <Panel
    title="Sample rows"
    padded
    actions={
      rows.edited && (
        <Button small onClick={rows.reset}>
          Restore samples
        </Button>
      )
    }
  >
    <div className={styles['column']}>
      <TextAreaField
        label="Rows as JSON"
        className={styles['json']}
        rows={14}
        spellCheck={false}
        wrap="off"
        value={rows.text}
        problem={rows.read.ok ? undefined : rows.read.problem}
        hint={rows.note ?? 'Durations are milliseconds, dates are ISO 8601.'}
        onChange={(event) => rows.type(event.target.value)}
      />
      <table className={styles['fields']} aria-label="Fields">
        <tbody>
          {Object.entries(fields.fields).map(([name, { type, nullable, description, values }]) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>{type === 'strings' ? 'list of strings' : nullable ? `${type} or null` : type}</td>
              <td>{values ? `${description}: ${values.join(', ')}` : description}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </Panel>
);

/** Takes the expression along: a search becomes JavaScript, and what was a search becomes one again. */
const useLanguageSwitch = (state: FilterState, fields: Filterable): ((to: FilterLanguage) => void) => {
  const taken = useRef({ search: '', js: '' });
  return (to) => {
    if (to === 'search') {
      const { search, js } = taken.current;
      state.put(state.text === js ? search : state.text, { as: '' });
      return;
    }
    const filter = readFilterText(state.text, fields, { language: 'search' });
    const js = filter.ok && state.text.trim() !== '' ? print(filter.tree) : state.text;
    taken.current = { search: state.text, js };
    state.put(js, { as: 'js' });
  };
};

const examplesIn = (language: FilterLanguage, fields: Filterable): string[] =>
  fields.examples.flatMap((example) => {
    const filter = readFilterText(example, fields);
    const isSearch = !example.includes('=>');
    if (language === 'search') return isSearch ? [example] : [];
    return filter.ok ? [print(filter.tree)] : [];
  });

const valuesIn = (read: ReadRows, { fields }: Filterable): LoadedValues => {
  const rows = read.ok ? read.rows : [];
  const texts = (name: string): string[] =>
    rows.flatMap((row) => row[name]).filter((value): value is string => typeof value === 'string');
  const named = Object.entries(fields).filter(([, { type }]) => type === 'enum' || type.startsWith('string'));
  return new Map(named.map(([name]) => [name, countValues(texts(name))]));
};
