import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';

/**
 * Who may call an endpoint when authentication is enabled. When it is disabled everyone may call everything.
 *
 * - `public`: anyone, without credentials
 * - `signed-in`: any session
 * - `submitter`: a session or an API key of an Administrator or a Reporter
 * - `submitter-session`: a session of an Administrator or a Reporter, but no API key
 * - `administrator`: a session of an Administrator
 * - `owner`: a session of an Administrator, or of the user that the path names
 */
export type Access = 'public' | 'signed-in' | 'submitter' | 'submitter-session' | 'administrator' | 'owner';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Endpoint {
  readonly method: Method;
  /** With parameters in braces; a parameter that ends in `*` takes the rest of the path. */
  readonly path: string;
  readonly access: Access;
  readonly group: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly headers?: TObject;
  readonly body?: TSchema;
  readonly bodyType?: 'application/json' | 'multipart/form-data';
  /** Whether a body of any other type is taken too, as one file. */
  readonly takesAnyBody?: true;
  readonly reply: TSchema;
  readonly replyType?: 'application/json' | 'application/octet-stream' | 'text/event-stream';
  readonly errors: readonly ErrorCode[];
}

export const endpoint = <const E extends Endpoint>(definition: E): E => definition;

type Part<E extends Endpoint, K extends 'params' | 'query' | 'headers' | 'body'> = E[K] extends TSchema
  ? Static<E[K]>
  : undefined;

export type Params<E extends Endpoint> = Part<E, 'params'>;
export type Query<E extends Endpoint> = Part<E, 'query'>;
export type Headers<E extends Endpoint> = Part<E, 'headers'>;
/** A form is sent as it is; its schema only describes it. */
export type Body<E extends Endpoint> = E['bodyType'] extends 'multipart/form-data' ? FormData : Part<E, 'body'>;
export type Reply<E extends Endpoint> = Static<E['reply']>;
