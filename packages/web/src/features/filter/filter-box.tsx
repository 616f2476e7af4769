import type { FilterLanguage } from '@assay/contract/filter';
import type { Catalogue, CompletionItem } from '@assay/expression';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { type LoadedValues, offerAt, takeItem } from './completions.ts';
import { FilterMirror } from './filter-mirror.tsx';
import { FilterNotes } from './filter-notes.tsx';
import { FilterOffers } from './filter-offers.tsx';
import type { FilterState } from './use-filter.ts';
import styles from './filter-box.module.css';

interface Props {
  readonly label: string;
  readonly state: FilterState;
  readonly catalogue: Catalogue;
  readonly loaded: LoadedValues;
  /** Shown while the box is empty. */
  readonly examples: readonly string[];
  /** Left out, the text itself tells. */
  readonly language?: FilterLanguage;
  /** Tells the place and code of what is wrong, too. */
  readonly exact?: boolean;
}

const SETTLED_AFTER_MS = 700;

/** One line that takes a search or an expression: completes it, underlines what is wrong, says what was meant. */
export const FilterBox = ({ label, state, catalogue, loaded, examples, language, exact = false }: Props) => {
  const { text, filter, type, put } = state;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [cursor, setCursor] = useState(text.length);
  const [focused, setFocused] = useState(false);
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState<number | null>(null);
  const [scrolled, setScrolled] = useState(0);
  const settled = useSettled(text);
  const at = Math.min(cursor, text.length);
  const offer = useMemo(() => offerAt(text, at, catalogue, loaded, language), [text, at, catalogue, loaded, language]);
  const shown = focused && open && offer.items.length > 0;
  const active = shown ? (chosen ?? (offer.certain ? 0 : null)) : null;
  const mistakes = filter.ok ? filter.remarks : filter.mistakes;
  const told = focused && !settled ? mistakes.filter(({ end }) => end < cursor) : mistakes;

  const change = (next: string, nextCursor: number): void => {
    type(next);
    setCursor(nextCursor);
    setChosen(null);
  };
  const take = (item: CompletionItem): void => {
    const taken = takeItem(text, offer.span, item, language);
    change(taken.text, taken.cursor);
    setOpen(true);
    requestAnimationFrame(() => {
      input.current?.focus();
      input.current?.setSelectionRange(taken.cursor, taken.cursor);
    });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setOpen(true);
      const count = offer.items.length;
      if (count > 0) setChosen(active === null ? (step > 0 ? 0 : count - 1) : (active + step + count) % count);
      return;
    }
    const begun = shown && at > offer.span.start;
    const item = offer.items[active ?? 0];
    if (event.key === 'Tab' && !event.shiftKey && item && (active !== null || begun)) {
      event.preventDefault();
      take(item);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (active !== null && item) take(item);
      else setOpen(false);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (shown) setOpen(false);
      else if (text !== '') put('');
      else event.currentTarget.blur();
    }
  };
  return (
    <div className={styles['filter']}>
      <div className={classNames(styles['box'], !filter.ok && told.length > 0 && styles['wrong'])}>
        <Icon name="search" size={14} />
        <div className={styles['line']}>
          <FilterMirror text={text} mistakes={told} mild={filter.ok} scrolled={scrolled} />
          <input
            ref={input}
            data-search
            role="combobox"
            type="text"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            aria-label={label}
            aria-autocomplete="list"
            aria-expanded={shown}
            aria-controls={`${id}-offers`}
            aria-activedescendant={active === null ? undefined : `${id}-offers-${active}`}
            aria-invalid={!filter.ok && told.length > 0}
            aria-describedby={`${id}-notes`}
            placeholder={label}
            value={text}
            onChange={(event) => {
              change(event.target.value, event.target.selectionStart ?? event.target.value.length);
              setOpen(true);
            }}
            onSelect={(event) => setCursor(event.currentTarget.selectionStart ?? 0)}
            onScroll={(event) => setScrolled(event.currentTarget.scrollLeft)}
            onFocus={() => {
              setFocused(true);
              setOpen(true);
            }}
            onBlur={() => setFocused(false)}
            onKeyDown={onKeyDown}
          />
        </div>
        {text === '' ? (
          <kbd aria-hidden="true">/</kbd>
        ) : (
          <Button look="quiet" small square aria-label="Clear filter" title="Clear filter" onClick={() => put('')}>
            <Icon name="cross" size={14} />
          </Button>
        )}
      </div>
      <FilterOffers id={`${id}-offers`} items={shown ? offer.items : []} active={active} onTake={take} />
      <FilterNotes
        id={`${id}-notes`}
        state={state}
        mistakes={told}
        examples={examples}
        exact={exact}
        onExample={(example) => {
          put(example);
          input.current?.focus();
        }}
      />
    </div>
  );
};

/** Whether a text has stood as it is for a moment. */
const useSettled = (text: string): boolean => {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled === text;
};
