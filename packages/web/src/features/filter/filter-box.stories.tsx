import { useMemo } from 'react';
import { RESULTS } from '../../sample-data.ts';
import { resultCatalogue, resultsOf, resultValues } from '../run/result-fields.ts';
import { FilterBox } from './filter-box.tsx';
import { NotAsked } from './not-asked.tsx';
import { useFilter } from './use-filter.ts';

export const OverResults = () => {
  const catalogue = useMemo(() => resultCatalogue(RESULTS), []);
  const values = useMemo(() => resultValues(RESULTS), []);
  const results = useMemo(() => resultsOf(RESULTS), []);
  const state = useFilter(catalogue);
  const { found, failed } = state.find(results);
  return (
    <>
      <FilterBox
        label="Filter results"
        state={state}
        catalogue={catalogue}
        loaded={values}
        examples={['status:failed']}
      />
      <ul aria-label="Found">
        {found.map((result) => (
          <li key={result.case.id}>{result.case.title}</li>
        ))}
      </ul>
      <NotAsked failed={failed} of={results.length} />
    </>
  );
};
