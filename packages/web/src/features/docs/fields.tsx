import type { FieldText } from './schema-text.ts';
import styles from './docs-page.module.css';

export const Fields = ({ fields }: { readonly fields: readonly FieldText[] }) => (
  <table className={styles['fields']}>
    <tbody>
      {fields.map(({ name, type, required, note }, at) => (
        <tr key={`${name} ${at}`}>
          <th scope="row">
            <code>{name}</code>
            {!required && <span className={styles['quiet']}> optional</span>}
          </th>
          <td>
            <TypeName text={type} />
          </td>
          <td className={styles['quiet']}>
            <WithCode text={note} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** A type whose names of schemas lead to them; they alone start with a capital letter. */
export const TypeName = ({ text }: { readonly text: string }) =>
  text.split(/\b([A-Z]\w+)\b/).map((part, at) =>
    at % 2 === 1 ? (
      <a key={at} href={`#schema-${part}`}>
        {part}
      </a>
    ) : (
      part
    ),
  );

/** What stands between backticks as code. */
export const WithCode = ({ text }: { readonly text: string }) =>
  text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
