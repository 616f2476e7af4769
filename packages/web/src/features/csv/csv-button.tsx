import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { csvOf } from './csv-of.ts';

interface Props {
  /** Of the file, without its extension. */
  readonly name: string;
  /** What the list shows, in its order. */
  readonly rows: () => readonly object[];
}

/** Downloads a list as CSV, as it is shown. */
export const CsvButton = ({ name, rows }: Props) => (
  <Button look="quiet" small title="Download this list as CSV" onClick={() => save(`${name}.csv`, csvOf(rows()))}>
    <Icon name="download" size={14} />
    CSV
  </Button>
);

/** Some browsers begin to read it only a while after the click. */
const KEPT_MS = 60_000;

const save = (name: string, text: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
};
