import { useEffect } from 'react';

/** What a tab shows of its page without being looked at. */
export type TabMark = 'failed' | 'running' | 'none';

const SIGNS: Record<TabMark, string> = { failed: '✗ ', running: '⋯ ', none: '' };
const ICONS: Record<TabMark, string> = {
  failed: '/favicon-failed.svg',
  running: '/favicon-running.svg',
  none: '/favicon.svg',
};

export const useWindowTitle = (title: string, mark: TabMark): void =>
  useEffect(() => {
    document.title = `${SIGNS[mark]}${title} · Assay`;
    document.querySelector('link[rel=icon]')?.setAttribute('href', ICONS[mark]);
  }, [title, mark]);
