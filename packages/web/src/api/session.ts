import { useQuery } from '@tanstack/react-query';
import { ask } from './client.ts';

export interface Rights {
  /** False until the service has said who is signed in. */
  readonly known: boolean;
  readonly authEnabled: boolean;
  readonly signedIn: boolean;
  /** May edit projects, delete runs and manage users; everyone when authentication is disabled. */
  readonly administrator: boolean;
  /** May add to runs: Administrators and Reporters. */
  readonly submitter: boolean;
}

export const useService = () => useQuery({ ...ask('getService', {}), staleTime: Infinity });

export const useSession = () => useQuery({ ...ask('getSession', {}), staleTime: 60_000 });

/** What the reader may do; nothing until that is known. */
export const useRights = (): Rights => {
  const service = useService();
  const session = useSession();
  const authEnabled = service.data?.authEnabled ?? true;
  const user = session.data?.user ?? null;
  const administrator = !authEnabled || user?.role === 'administrator';
  return {
    known: service.data !== undefined && session.data !== undefined,
    authEnabled,
    signedIn: user !== null,
    administrator,
    submitter: administrator || user?.role === 'reporter',
  };
};
