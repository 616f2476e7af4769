import styles from './skeleton.module.css';

/** Stands where something is on its way, and shows only when that takes longer than a blink. */
export const Skeleton = ({ rows = 6 }: { readonly rows?: number }) => (
  <div className={styles['skeleton']} role="status">
    <span className="unseen">Loading</span>
    {Array.from({ length: rows }, (_, row) => (
      <div key={row} />
    ))}
  </div>
);
