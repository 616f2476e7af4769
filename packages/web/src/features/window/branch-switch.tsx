import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId, useRef, useState } from 'react';
import { ask } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { RunMark } from '../status/status-mark.tsx';
import { ALL_BRANCHES, type ChosenWindow } from './window.ts';
import styles from './window-bar.module.css';

const LISTED = 50;

interface Props {
  readonly projectId: number;
  readonly window: ChosenWindow;
}

/** The branch that everything below is of, and a list with search to choose another. */
export const BranchSwitch = ({ projectId, window: { branch, defaultBranch, setBranch } }: Props) => {
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const q = useDeferredValue(text.trim());
  const { data: branches = [] } = useQuery({
    ...ask('listBranches', { params: { id: projectId }, query: { limit: LISTED, ...(q ? { q } : {}) } }),
    enabled: open,
    placeholderData: keepPreviousData,
  });
  const choose = (value: string): void => {
    setBranch(value);
    popover.current!.hidePopover();
    button.current!.focus();
  };
  const step = (by: number): void => {
    const items = [...popover.current!.querySelectorAll<HTMLElement>('input, button')];
    const at = items.indexOf(document.activeElement as HTMLElement);
    items[(at + by + items.length) % items.length]?.focus();
  };
  const shown = branch ?? 'All branches';
  return (
    <>
      <Button
        ref={button}
        popoverTarget={id}
        aria-expanded={open}
        aria-label={`Branch: ${shown}`}
        className={styles['switch']}
      >
        <Icon name="branch" size={14} />
        <span>{shown}</span>
        <Icon name="chevronDown" size={10} />
      </Button>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        id={id}
        ref={popover}
        popover="auto"
        role="dialog"
        aria-label="Branch"
        className={styles['branches']}
        onToggle={(event) => {
          setOpen(event.newState === 'open');
          if (event.newState !== 'open') return;
          const { bottom, left } = button.current!.getBoundingClientRect();
          const room = document.documentElement.clientWidth - popover.current!.offsetWidth - 8;
          popover.current!.style.top = `${bottom + 4}px`;
          popover.current!.style.left = `${Math.max(8, Math.min(left, room))}px`;
          popover.current!.querySelector('input')?.focus();
        }}
        onKeyDown={(event) => {
          const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (by === undefined) return;
          event.preventDefault();
          step(by);
        }}
      >
        <input
          type="search"
          aria-label="Search branches"
          placeholder="Search branches"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && branches[0]) choose(branches[0].name);
          }}
        />
        <ul>
          {q === '' && (
            <li>
              <button type="button" aria-pressed={branch === null} onClick={() => choose(ALL_BRANCHES)}>
                All branches
              </button>
            </li>
          )}
          {branches.map(({ name, latestRun }) => (
            <li key={name}>
              <button type="button" aria-pressed={name === branch} title={name} onClick={() => choose(name)}>
                <RunMark status={latestRun.status} size={14} />
                <span>{name}</span>
                {name === defaultBranch && <small>default</small>}
              </button>
            </li>
          ))}
        </ul>
        {q !== '' && branches.length === 0 && <p>No branch has “{q}” in its name.</p>}
        {branches.length === LISTED && <p>The {LISTED} that ran last. Search for others.</p>}
      </div>
    </>
  );
};
