import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { paths } from '../../paths.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Link } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { EndpointSection } from './endpoint-section.tsx';
import { Fields } from './fields.tsx';
import { type OpenApi, endpointsOf } from './open-api.ts';
import { fieldsOf } from './schema-text.ts';
import { firstSteps } from './snippets.ts';
import styles from './docs-page.module.css';

const openApiQuery = {
  queryKey: ['openapi'],
  staleTime: Infinity,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<OpenApi> => {
    const response = await fetch('/api/openapi.json', { signal });
    return (await response.json()) as OpenApi;
  },
};

/** The documentation of the interface for programs, made from its own description. */
export const DocsPage = () => {
  const query = useQuery(openApiQuery);
  return (
    <Page title="API documentation">
      <Loaded query={query} rows={12}>
        {(openApi) => <Documentation openApi={openApi} />}
      </Loaded>
    </Page>
  );
};

const Documentation = ({ openApi }: { readonly openApi: OpenApi }) => {
  const groups = [...Map.groupBy(endpointsOf(openApi), ({ group }) => group)];
  const schemas = Object.entries(openApi.components.schemas).sort(([a], [b]) => (a < b ? -1 : 1));
  // The part that an address names is there only now.
  useEffect(() => document.getElementById(decodeURIComponent(window.location.hash.slice(1)))?.scrollIntoView(), []);
  return (
    <div className={styles['layout']}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <nav className={styles['contents']} aria-label="Endpoints" tabIndex={0}>
        {groups.map(([group, endpoints]) => (
          <div key={group}>
            <strong>{group}</strong>
            {endpoints.map(({ anchor, summary }) => (
              <a key={anchor} href={`#${anchor}`}>
                {summary}
              </a>
            ))}
          </div>
        ))}
        <strong>Schemas</strong>
        {schemas.map(([name]) => (
          <a key={name} href={`#schema-${name}`}>
            {name}
          </a>
        ))}
      </nav>
      <div className={styles['text']}>
        <p>
          Version {openApi.info.version}. Times are ISO 8601 in UTC, durations are milliseconds, sizes are bytes. Every
          answer of stored data has an <code>ETag</code> and honours <code>If-None-Match</code>. Lists are whole unless{' '}
          <code>limit</code> asks for a page; the next page is in the <code>Link</code> header. For programs there is{' '}
          <a href="/api/openapi.json">OpenAPI 3.1</a>.
        </p>
        <p>
          Filters are expressions. <Link to={paths.expressions()}>Expressions</Link> tries one on sample rows and shows
          its tree, its JSON and its SQL.
        </p>
        <CodeBlock what="the commands" text={firstSteps(window.location.origin)} />
        {groups.map(([group, endpoints]) => (
          <section key={group} className={styles['text']} aria-label={group}>
            <h2>{group}</h2>
            {endpoints.map((endpoint) => (
              <EndpointSection key={endpoint.anchor} endpoint={endpoint} />
            ))}
          </section>
        ))}
        <h2>Schemas</h2>
        {schemas.map(([name, schema]) => (
          <div key={name} id={`schema-${name}`} className={styles['endpoint']}>
            <h3>{name}</h3>
            <Fields fields={fieldsOf(schema)} />
          </div>
        ))}
      </div>
    </div>
  );
};
