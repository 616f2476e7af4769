import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Fragment, useEffect, useEffectEvent, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { ask } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { Icon } from '../../ui/icon.tsx';
import { MiddleText } from '../../ui/middle-text.tsx';
import { Modal } from '../../ui/modal.tsx';
import { type Found, foundIn, leftOutOf } from './found.tsx';
import styles from './palette.module.css';

const PAGES: readonly Found[] = [
  { group: 'Pages', to: paths.projects(), label: 'Projects', mark: <Icon name="chevronRight" />, about: 'g p' },
  { group: 'Pages', to: paths.storage(), label: 'Storage', mark: <Icon name="gear" />, about: 'g o' },
  { group: 'Pages', to: paths.users(), label: 'Users', mark: <Icon name="person" />, about: '' },
  { group: 'Pages', to: paths.keys(), label: 'API keys', mark: <Icon name="key" />, about: '' },
  { group: 'Pages', to: paths.docs(), label: 'API documentation', mark: <Icon name="file" />, about: 'g d' },
  { group: 'Pages', to: paths.expressions(), label: 'Expressions', mark: <Icon name="search" />, about: '' },
];

/** Finds projects, runs, tests and pages by what one types. */
export const Palette = ({ onClose }: { readonly onClose: () => void }) => {
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [entered, setEntered] = useState(false);
  const id = useId();
  const q = text.trim();
  const query = useQuery({
    ...ask('searchEverything', { query: { q: q || ' ' } }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  });
  const pages = PAGES.filter(({ label }) => label.toLowerCase().includes(q.toLowerCase()));
  const found = [...(q && query.data ? foundIn(query.data) : []), ...pages];
  const chosen = Math.min(at, found.length - 1);
  // What is found for an earlier text may be on screen still: not what one means by Enter.
  const isLate = q !== '' && (query.isPlaceholderData || query.isPending);
  const open = (to: string): void => {
    onClose();
    navigate(to);
  };
  const openChosen = useEffectEvent(() => {
    if (found[chosen]) open(found[chosen].to);
  });
  useEffect(() => {
    if (entered && !isLate) openChosen();
  }, [entered, isLate]);
  const onKeyDown = (event: React.KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      const next = (chosen + step + found.length) % found.length;
      setAt(next);
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') setEntered(true);
  };
  return (
    <Modal className={styles['palette']} aria-label="Find anything" onClose={onClose}>
      <input
        className={styles['input']}
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        placeholder="Project, run number, branch, commit, test or file"
        role="combobox"
        aria-label="Find anything"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
          setEntered(false);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Found" className={styles['list']}>
        {found.map((item, index) => (
          <Fragment key={item.to}>
            {found[index - 1]?.group !== item.group && (
              <div className={styles['group']} role="presentation">
                {item.group}
              </div>
            )}
            {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events */}
            <div
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              className={styles['item']}
              onPointerMove={() => setAt(index)}
              onClick={() => open(item.to)}
            >
              {item.mark}
              <MiddleText text={item.label} />
              <small>{item.about}</small>
            </div>
          </Fragment>
        ))}
        {found.length === 0 && <div className={styles['nothing']}>No matches</div>}
      </div>
      <div role="status" className={styles['searched']}>
        {q && query.data && leftOutOf(query.data)}
      </div>
    </Modal>
  );
};
