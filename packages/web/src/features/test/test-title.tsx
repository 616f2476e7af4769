import { Fragment } from 'react';
import { splitTitle } from './title.ts';
import styles from './test-title.module.css';

/** The title of a test as a heading: its groups small, its own name large. */
export const TestTitle = ({ title, projectId }: { readonly title: string; readonly projectId: number }) => {
  const { path, name } = splitTitle(title);
  return (
    <span className={styles['title']} data-project={projectId}>
      {path.length > 0 && (
        <span className={styles['path']}>
          {path.map((part, at) => (
            <Fragment key={at}>
              {part}
              <span className={styles['then']}> › </span>
            </Fragment>
          ))}
        </span>
      )}
      <span className={styles['name']}>{name}</span>
    </span>
  );
};
