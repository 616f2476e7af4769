import { useMemo } from 'react';
import { RESULTS } from '../../sample-data.ts';
import { resultCatalogue, resultsOf, resultValues } from '../run/result-fields.ts';
import { FilterBox } from './filter-box.tsx';
import { useFilter } from './use-filter.ts';

export const OverResults = () => {
  const catalogue = useMemo(() => resultCatalogue(RESULTS), []);
  const values = useMemo(() => resultValues(RESULTS), []);
  const results = useMemo(() => resultsOf(RESULTS, []), []);
  const state = useFilter(catalogue);
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
        {results
          .filter(({ row }) => state.matches(row))
          .map((result) => (
            <li key={result.case.id}>{result.case.title}</li>
          ))}
      </ul>
    </>
  );
};
