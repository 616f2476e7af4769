import { countOf } from '../../format/number.ts';
import { Button } from '../../ui/button.tsx';
import styles from './new-runs.module.css';

/** Says that runs wait, above the page so that it moves nothing. */
export const NewRuns = ({ count, onShow }: { readonly count: number; readonly onShow: () => void }) => (
  <div className={styles['place']} role="status">
    {count > 0 && (
      <Button look="primary" className={styles['button']} onClick={onShow}>
        {countOf(count, 'new run')} · Show
      </Button>
    )}
  </div>
);
