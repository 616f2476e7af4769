import { Button } from './button.tsx';
import styles from './waiting-news.module.css';

interface Props {
  /** What waits, such as `2 new runs`; nothing when nothing does. */
  readonly words: string | null;
  readonly onShow: () => void;
}

/** Says that something waits, above the page so that it moves nothing. */
export const WaitingNews = ({ words, onShow }: Props) => (
  <div className={styles['place']} role="status">
    {words !== null && (
      <Button look="primary" className={styles['button']} onClick={onShow}>
        {words} · Show
      </Button>
    )}
  </div>
);
