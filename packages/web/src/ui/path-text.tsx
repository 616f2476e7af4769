import styles from './path-text.module.css';

/** A path in one line that gives way at its start, as its end says more; the whole of it on hover. */
export const PathText = ({ path }: { readonly path: string }) => (
  <span className={styles['path']} title={path}>
    <bdi>{path}</bdi>
  </span>
);
