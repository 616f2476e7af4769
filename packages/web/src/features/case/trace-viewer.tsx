import { useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './trace-viewer.module.css';

/** A trace opened in place. */
export const TraceViewer = ({ url }: { readonly url: string }) => {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    box.current!.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <section ref={box} className={styles['viewer']} aria-label="Trace viewer">
      <div className={styles['bar']}>
        <h2>Trace viewer</h2>
        <Button small onClick={() => void toggleFullScreen(box.current!)}>
          <Icon name="fullScreen" size={13} />
          Full screen
        </Button>
      </div>
      {/* oxlint-disable-next-line react/iframe-missing-sandbox -- served by us under a policy of its own, with a service worker */}
      <iframe src={url} title="Trace viewer" allow="fullscreen; clipboard-write" />
    </section>
  );
};

const toggleFullScreen = (element: HTMLElement): Promise<void> =>
  document.fullscreenElement ? document.exitFullscreen() : element.requestFullscreen();
