import { Fragment } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { PLACES } from './global-keys.ts';
import styles from './keyboard-help.module.css';

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['Ctrl K', 'Find a project, run or test'],
  ['/', 'Search or filter on this page'],
  ['j', 'Next in the list'],
  ['k', 'Previous in the list'],
  ['Enter', 'Open the selected entry'],
  ['[', 'Previous run'],
  [']', 'Next run'],
  ['n', 'Next failure of the run, on a result'],
  ['p', 'Previous failure of the run, on a result'],
  ['+ - 0', 'Closer, further and all, on a timeline'],
  ...PLACES.map(({ key, label }) => [`g ${key}`, label] as const),
  ['?', 'Keyboard shortcuts'],
];

export const KeyboardHelp = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Keyboard shortcuts" onClose={onClose}>
    <dl className={styles['keys']}>
      {KEYS.map(([keys, what]) => (
        <Fragment key={keys}>
          <dt>
            {keys.split(' ').map((key) => (
              <Fragment key={key}>
                <kbd>{key}</kbd>{' '}
              </Fragment>
            ))}
          </dt>
          <dd>{what}</dd>
        </Fragment>
      ))}
    </dl>
  </Dialog>
);
