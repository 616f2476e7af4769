import type { Access } from '@assay/contract';
import { Fields, TypeName, WithCode } from './fields.tsx';
import type { DocumentedEndpoint, Schema } from './open-api.ts';
import { fieldsOf, noteText, typeText } from './schema-text.ts';
import styles from './docs-page.module.css';

const WHO: Record<Access, string> = {
  public: 'everyone',
  'signed-in': 'everyone who is signed in',
  submitter: 'Reporters and Administrators, by session or API key',
  'submitter-session': 'Reporters and Administrators, by session',
  administrator: 'Administrators',
  owner: 'Administrators and the user themselves',
};

export const EndpointSection = ({ endpoint }: { readonly endpoint: DocumentedEndpoint }) => {
  const { anchor, method, path, summary, description, access, parameters, body, reply, errors } = endpoint;
  return (
    <div id={anchor} className={styles['endpoint']}>
      <h3>
        <span className={styles['method']} data-method={method}>
          {method}
        </span>
        <code>{path}</code>
      </h3>
      <p>
        <strong>{summary}.</strong> <WithCode text={description} />
      </p>
      <p className={styles['quiet']}>With authentication: {WHO[access as Access] ?? access}.</p>
      {parameters.length > 0 && (
        <>
          <h4>Parameters</h4>
          <Fields
            fields={parameters.map(({ name, in: place, required, schema }) => ({
              name,
              type: typeText(schema),
              required,
              note: [place, noteText(schema)].filter(Boolean).join('; '),
            }))}
          />
        </>
      )}
      {body && <Content title="Body" {...body} />}
      <Content title="Answer" {...reply} />
      {errors.length > 0 && (
        <p className={styles['quiet']}>
          Errors:{' '}
          {errors.map(({ status, codes }) => (
            <span key={status}>
              {status} <code>{codes}</code>{' '}
            </span>
          ))}
        </p>
      )}
    </div>
  );
};

const Content = ({ title, type, schema }: { title: string; type: string; schema: Schema }) => {
  const fields = fieldsOf(schema);
  return (
    <>
      <h4>
        {title}: <TypeName text={typeText(schema)} /> {type !== 'application/json' && <code>{type}</code>}
      </h4>
      {fields.length > 0 && <Fields fields={fields} />}
    </>
  );
};
