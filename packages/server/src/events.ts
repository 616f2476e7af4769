import type { ProjectEvent, RunEvent } from '@assay/contract';

export type ServiceEvent = ({ readonly type: 'run' } & RunEvent) | ({ readonly type: 'project' } & ProjectEvent);

/** The events for a change of a run; none if nothing changed. */
export const runEvents = (
  change: 'made' | 'changed' | 'none' | 'deleted',
  projectId: number,
  testRunId: number,
): ServiceEvent[] =>
  change === 'none' ? [] : [{ type: 'run', kind: change === 'made' ? 'stored' : change, projectId, testRunId }];

/** Publish/subscribe for changes. Events do not name their source, so another process could publish too. */
export interface Events {
  publish(event: ServiceEvent): void;
  /** Returns how to stop listening. */
  subscribe(listener: (event: ServiceEvent) => void): () => void;
}

/** The first event of a project is published immediately; later ones within this time are coalesced. */
const WINDOW_MS = 100;

export const createEvents = (): Events => {
  const listeners = new Set<(event: ServiceEvent) => void>();
  const waiting = new Map<number, ServiceEvent | null>();

  const tell = (event: ServiceEvent): void => {
    waiting.set(event.projectId, null);
    setTimeout(() => endWindow(event.projectId), WINDOW_MS).unref();
    for (const listener of listeners) listener(event);
  };
  const endWindow = (projectId: number): void => {
    const event = waiting.get(projectId);
    waiting.delete(projectId);
    if (event) tell(event);
  };

  return {
    publish(event) {
      if (listeners.size === 0) return;
      const held = waiting.get(event.projectId);
      if (held === undefined) tell(event);
      else waiting.set(event.projectId, held === null ? event : joinEvents(held, event));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** Two events of one project as one: of a run what became of it, and of more than one run only that there were changes. */
export const joinEvents = (first: ServiceEvent, second: ServiceEvent): ServiceEvent => {
  const { projectId } = first;
  if (first.type === 'project' || second.type === 'project' || first.testRunId !== second.testRunId) {
    return { type: 'project', projectId };
  }
  return second.kind === 'deleted' ? second : first;
};
