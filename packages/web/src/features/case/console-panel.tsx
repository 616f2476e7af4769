import type { ConsoleMessage } from '@assay/contract';
import { useMemo } from 'react';
import { countOf } from '../../format/number.ts';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { Panel } from '../../ui/panel.tsx';
import { VirtualRows } from '../../ui/virtual-rows.tsx';
import { AnsiText } from '../error/ansi-text.tsx';
import { LookMark } from '../status/status-mark.tsx';
import styles from './console-panel.module.css';

const ROW_HEIGHT = 37;

interface Row {
  readonly key: number;
  readonly message: ConsoleMessage;
}

/** What the pages wrote to their console, in its order. */
export const ConsolePanel = ({ messages }: { readonly messages: readonly ConsoleMessage[] }) => {
  const rows = useMemo(() => messages.map((message, key): Row => ({ key, message })), [messages]);
  const errors = messages.filter(({ type }) => type === 'error').length;
  const note = `${countOf(errors, 'error')}, ${countOf(messages.length - errors, 'warning')}`;
  return (
    <Panel title="Console" note={note}>
      <VirtualRows label="Console messages" rows={rows} keyOf={({ key }) => key} rowHeight={ROW_HEIGHT}>
        {({ message: { type, text, location } }) => (
          <div className={classNames(styles['message'], styles[type])}>
            <span className={styles['type']}>
              {type === 'error' ? <LookMark look="failed" size={14} /> : <Icon name="warning" size={14} />}
              {type === 'error' ? 'Error' : 'Warning'}
            </span>
            <pre>
              <AnsiText text={text} />
            </pre>
            {location && <code title={location}>{location}</code>}
          </div>
        )}
      </VirtualRows>
    </Panel>
  );
};
