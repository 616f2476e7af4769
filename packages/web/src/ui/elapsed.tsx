import { useEffect, useState } from 'react';
import { formatDuration } from '../format/duration.ts';

const TICK_MS = 1_000;

/** How long it has been, second by second. */
export const Elapsed = ({ since }: { readonly since: string }) => {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  // A clock here that is behind the one there would have it begin in the future.
  const wholeSeconds = Math.floor(Math.max(0, now - Date.parse(since)) / TICK_MS) * TICK_MS;
  return <span>{wholeSeconds === 0 ? 'a moment' : formatDuration(wholeSeconds)}</span>;
};
