import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { paths } from '../../paths.ts';
import { isTyping } from '../../ui/keys.ts';

const GO_WITHIN_MS = 1_200;

/** Where `g` and a letter lead. Inside a project some letters lead to its pages. */
export const PLACES: readonly { key: string; label: string; to: (projectId: number | null) => string | null }[] = [
  { key: 'p', label: 'Projects', to: () => paths.projects() },
  { key: 'r', label: 'Runs of this project', to: (id) => (id === null ? null : paths.project(id)) },
  { key: 't', label: 'Tests of this project', to: (id) => (id === null ? null : paths.tests(id)) },
  { key: 's', label: 'Slowest tests of this project', to: (id) => (id === null ? null : paths.slowTests(id)) },
  { key: 'f', label: 'Flaky tests of this project', to: (id) => (id === null ? null : paths.flakyTests(id)) },
  { key: 'o', label: 'Storage', to: () => paths.storage() },
  { key: 'd', label: 'API documentation', to: () => paths.docs() },
];

interface Actions {
  readonly openPalette: () => void;
  readonly openHelp: () => void;
}

export const useGlobalKeys = ({ openPalette, openHelp }: Actions): void => {
  const [, navigate] = useLocation();
  const goPressedAt = useRef(-Infinity);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key === 'k') {
        event.preventDefault();
        openPalette();
        return;
      }
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]'))
        return;
      const going = event.timeStamp - goPressedAt.current < GO_WITHIN_MS;
      goPressedAt.current = event.key === 'g' ? event.timeStamp : -Infinity;
      const place = going && PLACES.find(({ key }) => key === event.key)?.to(projectOnScreen());
      if (place) {
        event.preventDefault();
        navigate(place);
      } else if (event.key === '/') {
        event.preventDefault();
        const search = document.querySelector<HTMLElement>('[data-search]');
        if (search) search.focus();
        else openPalette();
      } else if (event.key === 'j' || event.key === 'k') {
        if (moveFocus(event.key === 'j' ? 1 : -1)) event.preventDefault();
      } else if (event.key === '?') openHelp();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [navigate, openPalette, openHelp]);
};

/** To the link of the next row of a list that is short enough to be there whole; long ones move it themselves. */
const moveFocus = (by: number): boolean => {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-rows] > *')].filter((row) =>
    row.querySelector('a'),
  );
  const current = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[current < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, current + by))];
  next?.querySelector('a')?.focus();
  return next !== undefined;
};

/** Pages that belong to a project say so on an element of theirs; until they have come, only some addresses tell. */
const projectOnScreen = (): number | null => {
  const told = document.querySelector<HTMLElement>('[data-project]')?.dataset['project'];
  const id = told ?? /^\/projects\/(\d+)/.exec(window.location.pathname)?.[1];
  return id === undefined ? null : Number(id);
};
