import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, queryClient } from '../../api/client.ts';
import { Palette } from './palette.tsx';

const PROJECT = { id: 7, name: 'shop' };

/** With the answers to `cart` and, of too many tests, to `checkout` already there. */
export const OverPages = () => {
  const [open, setOpen] = useState(true);
  queryClient.setQueryData(ask('searchEverything', { query: { q: 'cart' } }).queryKey, {
    projects: [],
    runs: [],
    tests: ['adds an item', 'removes an item'].map((title, at) => ({
      id: at + 1,
      title,
      filePath: 'tests/cart.spec.ts',
      browser: null,
      project: PROJECT,
    })),
    errors: [{ clusterId: 9, cause: 'Error: no cart', project: PROJECT }],
    searchedNewest: { runs: null, tests: null, errors: null },
  } as never);
  queryClient.setQueryData(ask('searchEverything', { query: { q: 'checkout' } }).queryKey, {
    projects: [],
    runs: [],
    tests: [],
    errors: [],
    searchedNewest: { runs: null, tests: 200_000, errors: null },
  });
  return (
    <QueryClientProvider client={queryClient}>{open && <Palette onClose={() => setOpen(false)} />}</QueryClientProvider>
  );
};
