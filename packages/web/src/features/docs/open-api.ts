export type Schema = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly 'x-access': string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: Content }>>;
}

export interface OpenApi {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface DocumentedEndpoint {
  readonly anchor: string;
  readonly group: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly access: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly type: string; readonly schema: Schema } | null;
  readonly reply: { readonly type: string; readonly schema: Schema };
  readonly errors: readonly { readonly status: string; readonly codes: string }[];
}

export const endpointsOf = ({ paths }: OpenApi): DocumentedEndpoint[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => describe(method.toUpperCase(), path, operation)),
  );

const describe = (method: string, path: string, operation: Operation): DocumentedEndpoint => ({
  anchor: `${method} ${path}`.toLowerCase().replace(/[^a-z]+/g, '-'),
  group: operation.tags[0] ?? '',
  method,
  path,
  summary: operation.summary,
  description: operation.description ?? '',
  access: operation['x-access'],
  parameters: operation.parameters,
  body: operation.requestBody ? only(operation.requestBody.content) : null,
  reply: only(operation.responses['200']!.content),
  errors: Object.entries(operation.responses)
    .filter(([status]) => status !== '200')
    .map(([status, { description }]) => ({ status, codes: description })),
});

const only = (content: Content): { type: string; schema: Schema } => {
  const [type, { schema }] = Object.entries(content)[0]!;
  return { type, schema };
};
