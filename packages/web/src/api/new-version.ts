import { useSyncExternalStore } from 'react';

/*
 * Notices that the service has another build of the interface than this tab runs. The page is then reloaded at a calm
 * moment: with the next link that is followed, or while nobody looks at the tab.
 */

let outdated = false;
const watchers = new Set<() => void>();

/** The script names the content of the whole interface, so a new build has another one. */
const ownScript = document.querySelector<HTMLScriptElement>('script[data-entry]')?.dataset['entry'];

/** Asked whenever the service may have been restarted; a page that has not changed costs a 304. */
export const checkVersion = async (): Promise<void> => {
  if (outdated || !ownScript) return;
  const answer = await fetch('/', { cache: 'no-cache', headers: { accept: 'text/html' } }).catch(() => null);
  if (!answer?.ok || (await answer.text()).includes(ownScript)) return;
  outdated = true;
  for (const watcher of watchers) watcher();
};

document.addEventListener('visibilitychange', () => {
  if (outdated && document.visibilityState === 'hidden' && isCalm()) window.location.reload();
});

/** Nothing is being written that a reload would lose. */
const isCalm = (): boolean =>
  !document.querySelector('dialog[open]') &&
  ![...document.forms].some((form) => [...new FormData(form).values()].some(Boolean));

export const useOutdated = (): boolean =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => outdated,
  );
