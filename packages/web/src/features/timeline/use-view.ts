import { useEffect, useEffectEvent, useState } from 'react';
import { useAddressPart } from '../../address.ts';
import { type View, readView, writeView } from './view.ts';

/** Browsers refuse to change the address many times a second. */
const SETTLED_MS = 300;

export type ChangeView = (change: (view: View) => View) => void;

/** What is seen of the whole; the address has it once it rests. */
export const useView = (whole: View): { view: View; isWhole: boolean; change: ChangeView; reset: () => void } => {
  const [from, setFrom] = useAddressPart('from', '');
  const [to] = useAddressPart('to', '');
  const [part, setPart] = useState(() => readView(from, to, whole));
  const write = useEffectEvent((part: View | null) => {
    const written = writeView(part);
    if (written.from !== from || written.to !== to) setFrom(written.from, { replace: true, also: { to: written.to } });
  });
  useEffect(() => {
    const timer = setTimeout(() => write(part), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [part]);
  const change: ChangeView = (by) =>
    setPart((before) => {
      const next = by(before ?? whole);
      return next.to - next.from >= whole.to ? null : next;
    });
  return { view: part ?? whole, isWhole: part === null, change, reset: () => setPart(null) };
};
