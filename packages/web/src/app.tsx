import { QueryClientProvider } from '@tanstack/react-query';
import { Route, Switch } from 'wouter';
import { queryClient } from './api/client.ts';
import { NotFoundPage } from './features/shell/not-found-page.tsx';
import { Shell } from './features/shell/shell.tsx';
import { prefetchPage } from './prefetch.ts';
import { ROUTES } from './routes.tsx';
import { AboutToVisit } from './ui/link.tsx';

export const App = () => (
  <QueryClientProvider client={queryClient}>
    <AboutToVisit value={prefetchPage}>
      <Shell>
        <Switch>
          {ROUTES.map(({ path, page: Page }) => (
            <Route key={path} path={path}>
              {(params: { id?: string }) =>
                isId(params.id) ? <Page key={params.id} id={Number(params.id)} /> : <NotFoundPage />
              }
            </Route>
          ))}
          <Route>
            <NotFoundPage />
          </Route>
        </Switch>
      </Shell>
    </AboutToVisit>
  </QueryClientProvider>
);

const isId = (id: string | undefined): boolean => id === undefined || /^[1-9]\d{0,15}$/.test(id);
