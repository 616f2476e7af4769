import { useMemo, useState } from 'react';
import { useAddressPart } from '../../address.ts';
import { FIELDS, MOST_ROWS, type ReadRows, readRows, type Sample, sampleRows } from './sample-rows.ts';

/** Servers and chats cut longer addresses. */
const MOST_IN_ADDRESS = 2_000;

export interface RowsState {
  readonly text: string;
  readonly read: ReadRows;
  readonly edited: boolean;
  /** What to know about them, if anything. */
  readonly note: string | null;
  readonly type: (text: string) => void;
  readonly reset: () => void;
}

/** The rows to ask: the samples, or what `rows=` in the address says in place of them. */
export const useRows = (sample: Sample): RowsState => {
  const [now] = useState(Date.now);
  const [written, setWritten] = useAddressPart('rows', '');
  const samples = useMemo(() => sampleRows(sample, now), [sample, now]);
  const inAddress = written === '' ? samples : indented(written);
  const source = `${sample} ${written}`;
  const [draft, setDraft] = useState({ text: inAddress, source });
  if (draft.source !== source) setDraft({ text: inAddress, source });
  const text = draft.source === source ? draft.text : inAddress;
  const read = useMemo(() => readRows(text, FIELDS[sample]), [text, sample]);
  const type = (next: string): void => {
    const short = shortened(next);
    const isShared = short !== null && short.length <= MOST_IN_ADDRESS && short !== shortened(samples);
    // While it is no JSON, the address keeps what was.
    const address = isShared ? short : short === null ? written : '';
    setDraft({ text: next, source: `${sample} ${address}` });
    if (address !== written) setWritten(address, { replace: true });
  };
  const reset = (): void => {
    setDraft({ text: samples, source: `${sample} ` });
    setWritten('', { replace: true });
  };
  const isLong = read.ok && (shortened(text)?.length ?? 0) > MOST_IN_ADDRESS && text !== samples;
  const isMany = read.ok && read.rows.length > MOST_ROWS;
  const note = isLong
    ? `These rows are too long for the address: a link to this page will not have them.`
    : isMany
      ? `Only the first ${MOST_ROWS} rows are asked.`
      : null;
  return { text, read, edited: text !== samples, note, type, reset };
};

const shortened = (json: string): string | null => {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return null;
  }
};

const indented = (json: string): string => {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
};
