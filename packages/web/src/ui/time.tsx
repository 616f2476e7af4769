import { formatExact, formatRelative } from '../format/time.ts';
import { useNow } from './clock.ts';

/** How long ago; the exact time in the reader's zone on hover. */
export const Time = ({ value }: { readonly value: string }) => {
  const time = new Date(value);
  return (
    <time dateTime={value} title={formatExact(time)}>
      {formatRelative(time, useNow())}
    </time>
  );
};
