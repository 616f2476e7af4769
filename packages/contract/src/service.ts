import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id } from './ids.ts';

export const Service = Type.Object(
  {
    name: Type.Literal('Assay'),
    version: Type.String(),
    authEnabled: Type.Boolean(),
    setupNeeded: Type.Boolean({ description: 'Whether the first Administrator is still to be made' }),
    playwrightMerge: Type.Boolean({ description: 'Whether blob reports can be merged here' }),
  },
  { title: 'Service' },
);
export type Service = Static<typeof Service>;

/** The first event of a stream. */
export const HelloEvent = Type.Object(
  {
    version: Type.String(),
    installation: Type.String({
      description: 'Another one means another data directory: nothing read before is valid',
    }),
    revision: Type.String({
      description:
        'Names the state of all projects. The same one means that nothing has changed; no two states share one, not even after a backup is restored',
    }),
  },
  { title: 'HelloEvent' },
);
export type HelloEvent = Static<typeof HelloEvent>;

export const RunEvent = Type.Object(
  {
    kind: Type.Union([Type.Literal('stored'), Type.Literal('changed'), Type.Literal('deleted')]),
    projectId: Id,
    testRunId: Id,
  },
  { title: 'RunEvent' },
);
export type RunEvent = Static<typeof RunEvent>;

/** Something of a project changed that is no single run. */
export const ProjectEvent = Type.Object({ projectId: Id }, { title: 'ProjectEvent' });
export type ProjectEvent = Static<typeof ProjectEvent>;

export const serviceEndpoints = {
  getService: endpoint({
    method: 'GET',
    path: '/api/service',
    access: 'public',
    group: 'Service',
    summary: 'What this service is and can do',
    reply: Service,
    errors: [],
  }),
  streamEvents: endpoint({
    method: 'GET',
    path: '/api/events',
    access: 'public',
    group: 'Service',
    summary: 'What changes, as it changes',
    description:
      'Server-sent events. First `hello`, then `run` (`stored`, also when it has only started; `changed`, such as by more results; `deleted`) and `project`, each after it is durable. Many changes of one project within a moment are told together as one `project` event: ask again for what you show. The service sends a comment every 20 seconds, disconnects a client that reads too slowly, and refuses more than 100 streams of one client with 429 and more than 1,000 in all with 503.',
    reply: Type.Unsafe<string>({
      anyOf: [HelloEvent, RunEvent, ProjectEvent],
      description: 'The data of one event, as JSON',
    }),
    replyType: 'text/event-stream',
    errors: ['too_many_streams', 'unavailable'],
  }),
};
