import { type RefObject, useEffect, useLayoutEffect } from 'react';

let shownPath = window.location.pathname;
let wentBack = false;
let tookFocusAlong = false;

window.addEventListener('popstate', () => {
  wentBack = window.location.pathname !== shownPath;
});

/**
 * A page that a link led to begins at its top, and the focus is on its heading, which screen readers then read out. Going
 * back leaves the scroll to the browser, which remembers it. The heading of what has loaded takes the focus over from the
 * heading that stood there meanwhile.
 */
export const useArrival = (heading: RefObject<HTMLElement | null>): void => {
  useLayoutEffect(() => {
    const own = heading.current;
    return () => {
      tookFocusAlong = own !== null && own === document.activeElement;
    };
  }, [heading]);
  useEffect(() => {
    const hasArrived = window.location.pathname !== shownPath;
    if (!hasArrived && !tookFocusAlong) return;
    shownPath = window.location.pathname;
    tookFocusAlong = false;
    if (hasArrived && !wentBack) window.scrollTo({ top: 0 });
    wentBack = false;
    if (!document.querySelector('dialog[open]')) heading.current?.focus({ preventScroll: true });
  }, [heading]);
};
