import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { MiddleText } from '../../ui/middle-text.tsx';
import { PathText } from '../../ui/path-text.tsx';
import { useCarriedBranch } from '../window/window.ts';
import styles from './test-name.module.css';

interface Props {
  readonly test: {
    readonly id: number;
    readonly title: string;
    readonly filePath: string;
    readonly browser: string | null;
  };
}

/** A test as tables name it: its title as a link, its file and browser below. */
export const TestName = ({ test: { id, title, filePath, browser } }: Props) => (
  <span className={styles['name']}>
    <Link to={paths.test(id, useCarriedBranch())}>
      <MiddleText text={title} tail={24} />
    </Link>
    <span className={styles['where']}>
      <PathText path={filePath} />
      {browser && <span className={styles['browser']}>{browser}</span>}
    </span>
  </span>
);
