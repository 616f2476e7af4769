import { endpoints } from '@assay/contract';
import { type Route, action } from '../../http/endpoint.ts';

/** Authentication is off: nobody is ever signed in. */
export const accountRoutes = (): Route[] => [
  action(endpoints.getSession, async () => ({ authenticated: false as const, user: null })),
];
