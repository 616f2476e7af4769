import { type RefObject, useEffect } from 'react';

let shownPath = window.location.pathname;
let wentBack = false;

window.addEventListener('popstate', () => {
  wentBack = window.location.pathname !== shownPath;
});

/**
 * A page that a link led to begins at its top, and the focus is on its heading, which screen readers then read out. Going
 * back leaves the scroll to the browser, which remembers it.
 */
export const useArrival = (heading: RefObject<HTMLElement | null>): void =>
  useEffect(() => {
    if (window.location.pathname === shownPath) return;
    shownPath = window.location.pathname;
    if (!wentBack) window.scrollTo({ top: 0 });
    wentBack = false;
    if (!document.querySelector('dialog[open]')) heading.current?.focus({ preventScroll: true });
  }, [heading]);
