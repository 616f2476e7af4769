import { useCallback, useLayoutEffect, useRef, useState } from 'react';

/** What the region shows: the latest, but while it is being read what it had until then, unless more is asked for. */
export const useUnlessRead = <T extends readonly unknown[]>(latest: T) => {
  const region = useRef<HTMLDivElement>(null);
  const [taken, setTaken] = useState(latest);
  useLayoutEffect(() => {
    if (!region.current || !isBeingRead(region.current)) setTaken(latest);
  }, [latest]);
  const show = useCallback(() => {
    setTaken(latest);
    window.scrollTo({ top: 0 });
  }, [latest]);
  return { region, taken, show };
};

/** Whether someone is at a part of the page, so that it should not move. */
const isBeingRead = (region: HTMLElement): boolean =>
  window.scrollY > 0 ||
  region.matches(':hover') ||
  region.contains(document.activeElement) ||
  region.querySelector('[data-current="true"]') !== null;
