import { type Endpoint, ErrorBody, errorStatus } from '@assay/contract';
import { version } from '../version.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 description of some endpoints. Schemas that have a title become components. */
export const buildOpenApi = (endpoints: readonly Endpoint[]): Json => {
  const schemas: Json = {};
  const schemaOf = createSchemaWriter(schemas);
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace('*}', '}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: buildOperation(endpoint, schemaOf) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Assay',
      version,
      description:
        'Stores test runs and reports on them. Times are ISO 8601 in UTC, durations milliseconds, sizes bytes.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths,
    components: { schemas },
  };
};

type SchemaWriter = (schema: unknown) => unknown;

const buildOperation = (endpoint: Endpoint, schemaOf: SchemaWriter): Json => ({
  tags: [endpoint.group],
  summary: endpoint.summary,
  ...(endpoint.description ? { description: endpoint.description } : {}),
  'x-access': endpoint.access,
  parameters: [
    ...buildParameters('path', endpoint.params, schemaOf),
    ...buildParameters('query', endpoint.query, schemaOf),
    ...buildParameters('header', endpoint.headers, schemaOf),
  ],
  ...(endpoint.body
    ? {
        requestBody: {
          required: true,
          content: {
            [endpoint.bodyType ?? 'application/json']: { schema: schemaOf(endpoint.body) },
            ...(endpoint.takesAnyBody ? { '*/*': { schema: {} } } : {}),
          },
        },
      }
    : {}),
  responses: {
    200: {
      description: 'Success',
      content: { [endpoint.replyType ?? 'application/json']: { schema: schemaOf(endpoint.reply) } },
    },
    ...buildErrors(endpoint, schemaOf),
  },
});

const buildParameters = (place: string, schema: Endpoint['params'], schemaOf: SchemaWriter): Json[] =>
  Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: schema?.required?.includes(name) ?? false,
    schema: schemaOf(property),
  }));

const buildErrors = (endpoint: Endpoint, schemaOf: SchemaWriter): Json => {
  const codes = new Map<number, string[]>();
  for (const code of endpoint.errors) codes.set(errorStatus[code], [...(codes.get(errorStatus[code]) ?? []), code]);
  const content = { 'application/json': { schema: schemaOf(ErrorBody) } };
  return Object.fromEntries([...codes].map(([status, names]) => [status, { description: names.join(', '), content }]));
};

const createSchemaWriter = (schemas: Json): SchemaWriter => {
  const write = (schema: unknown): unknown => {
    if (Array.isArray(schema)) return schema.map(write);
    if (typeof schema !== 'object' || schema === null) return schema;
    const { title, $defs, $ref, ...rest } = schema as Json & { title?: string; $defs?: Json; $ref?: string };
    // A recursive schema names itself by its key in $defs, which is also its title.
    if ($defs !== undefined) for (const definition of Object.values($defs)) write(definition);
    if ($ref !== undefined) return { $ref: `#/components/schemas/${$ref.replace('#/$defs/', '')}` };
    if (title === undefined) return writeFields(rest);
    if (!(title in schemas)) {
      schemas[title] = {};
      schemas[title] = { title, ...writeFields(rest) };
    }
    return { $ref: `#/components/schemas/${title}` };
  };
  const writeEach = (values: Json): Json =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, write(value)]));
  // A field that is called `title` makes no component of the fields around it.
  const writeFields = ({ properties, ...rest }: Json): Json => ({
    ...writeEach(rest),
    ...(properties === undefined ? {} : { properties: writeEach(properties as Json) }),
  });
  return write;
};
