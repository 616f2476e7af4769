import { type Access, type Endpoint, ErrorBody, errorStatus } from '@assay/contract';
import { version } from '../version.ts';
import { type Html, html, join, page } from './html.ts';
import { type FieldText, fieldsOf, namedSchemas, typeText } from './schema-text.ts';

const ACCESS_TEXT: Record<Access, string> = {
  public: 'Everyone',
  'signed-in': 'Everyone who is signed in',
  submitter: 'Reporters and Administrators, by session or API key',
  'submitter-session': 'Reporters and Administrators, by session',
  administrator: 'Administrators',
  owner: 'Administrators and the user themselves',
};

/** The documentation of some endpoints as one page that needs nothing else. */
export const buildDocsPage = (endpoints: readonly Endpoint[]): string => {
  const groups = Map.groupBy(endpoints, (endpoint) => endpoint.group);
  const schemas = namedSchemas([ErrorBody, ...endpoints.flatMap(({ body, reply }) => [body, reply])]);
  return page(
    'Assay API',
    html`<nav aria-label="Endpoints">
        <a class="brand" href="#top">Assay <small>API ${version}</small></a>
        ${join([...groups].map(([group, members]) => groupLinks(group, members)))}
        <strong>Schemas</strong>
        ${join([...schemas.keys()].map((title) => html`<a href="#schema-${title}">${title}</a>`))}
      </nav>
      <main id="top">
        <h1>Assay API</h1>
        <p>
          Times are ISO 8601 in UTC, durations are milliseconds, sizes are bytes. Every answer but a file is JSON; every
          answer of stored data has an <code>ETag</code> and honours <code>If-None-Match</code>. Lists are whole unless
          <code>limit</code> asks for a page; the next page is in the <code>Link</code> header. The same description for
          programs is <a href="/api/openapi.json">OpenAPI 3.1</a>.
        </p>
        <h2>First steps</h2>
        <pre><code>${FIRST_STEPS}</code></pre>
        ${join(
          [...groups].map(
            ([group, members]) =>
              html`<h2>${group}</h2>
                ${join(members.map(endpointSection))}`,
          ),
        )}
        <h2>Schemas</h2>
        ${join([...schemas].map(([title, schema]) => schemaSection(title, schema)))}
      </main>`,
  );
};

const FIRST_STEPS = `curl localhost:3000/api/test-runs/submit -H 'Content-Type: application/json' -d '{
  "projectName": "shop", "status": "failed", "startTime": "2026-01-31T09:00:00Z",
  "testCases": [
    {"title": "pays by card", "status": "passed", "duration": 1200, "retries": 1,
     "location": "tests/pay.spec.ts:12:5"},
    {"title": "refunds", "status": "failed", "duration": 4100,
     "location": "tests/pay.spec.ts:40:5", "error": "Expected 200, received 500"}
  ]}'
curl localhost:3000/api/projects`;

const anchorOf = ({ method, path }: Endpoint): string => `${method} ${path}`.toLowerCase().replace(/[^a-z]+/g, '-');

const groupLinks = (group: string, members: readonly Endpoint[]): Html =>
  html`<strong>${group}</strong>
    ${join(members.map((endpoint) => html`<a href="#${anchorOf(endpoint)}">${endpoint.summary}</a>`))}`;

const endpointSection = (endpoint: Endpoint): Html =>
  html`<section id="${anchorOf(endpoint)}">
    <h3>
      <span class="method ${endpoint.method.toLowerCase()}">${endpoint.method}</span>
      <code>${endpoint.path.replace('*}', '}')}</code>
    </h3>
    <p><b>${endpoint.summary}.</b> ${withCode(endpoint.description ?? '')}</p>
    <p class="quiet">With authentication: ${ACCESS_TEXT[endpoint.access]}.</p>
    ${fieldTable('Query', endpoint.query)} ${fieldTable('Headers', endpoint.headers)}
    ${
      endpoint.body
        ? html`<p>Body: ${typeLink(endpoint.body)}</p>
            ${unnamedFields(endpoint.body)}`
        : ''
    }
    <p>Answer: ${typeLink(endpoint.reply)}</p>
    ${unnamedFields(endpoint.reply)}
    ${
      endpoint.errors.length > 0
        ? html`<p class="quiet">
            Errors: ${join(endpoint.errors.map((code) => html`<code>${errorStatus[code]} ${code}</code> `))}
          </p>`
        : ''
    }
  </section>`;

const schemaSection = (title: string, schema: unknown): Html =>
  html`<section id="schema-${title}">
    <h3>${title}</h3>
    ${fieldRows(fieldsOf(schema))}
  </section>`;

/** A schema without a name of its own is shown where it is used. */
const unnamedFields = (schema: unknown): Html | '' => {
  const fields = 'title' in (schema as object) ? [] : fieldsOf(schema);
  return fields.length > 0 ? fieldRows(fields) : '';
};

const fieldTable = (caption: string, schema: unknown): Html | '' => {
  const fields = schema ? fieldsOf(schema) : [];
  return fields.length > 0
    ? html`<p>${caption}</p>
        ${fieldRows(fields)}`
    : '';
};

const fieldRows = (fields: readonly FieldText[]): Html =>
  html`<table>
    ${join(
      fields.map(
        ({ name, type, required, note }) =>
          html`<tr>
            <th scope="row">
              <code>${name}</code>${required ? '' : html`<span class="quiet" title="optional">?</span>`}
            </th>
            <td>${linked(type)}</td>
            <td class="quiet">${withCode(note)}</td>
          </tr>`,
      ),
    )}
  </table>`;

/** Shows what stands between backticks as code. */
const withCode = (text: string): Html =>
  join(text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`)));

const typeLink = (schema: unknown): Html => linked(typeText(schema));

/** Links the names of schemas in the text of a type; they alone start with a capital letter. */
const linked = (type: string): Html =>
  join(
    type
      .split(/\b([A-Z]\w+)\b/)
      .map((part, index) => (index % 2 === 1 ? html`<a href="#schema-${part}">${part}</a>` : html`${part}`)),
  );
