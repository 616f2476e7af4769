import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { AXIS_HEIGHT, draw, ROW_HEIGHT, type Scale, scaleOf, timeAt, xOf } from './draw.ts';
import { useGestures } from './gestures.ts';
import { type Bar, barAt, type Layout, type Row } from './layout.ts';
import { aboutBar, Legend } from './legend.tsx';
import { useSurface } from './use-surface.ts';
import { useView } from './use-view.ts';
import { pan, reveal, wholeOf, zoom } from './view.ts';
import styles from './timeline.module.css';

const MOST_ROWS_SEEN = 16;
/** A result may be missed by so many pixels. */
const REACH_PX = 4;
const NARROW_PX = 600;

interface Props {
  readonly layout: Layout;
  /** The worker that ended last; null where workers are not known, of which then no idle time is told either. */
  readonly critical: Row | null;
  readonly selected: Bar | null;
  readonly onSelect: (bar: Bar | null) => void;
  readonly onOpen: (bar: Bar) => void;
}

interface Pointed {
  readonly bar: Bar;
  readonly x: number;
  readonly y: number;
}

/** The results over time. The tables below it say the same in words. */
export const TimelineChart = ({ layout, critical, selected, onSelect, onOpen }: Props) => {
  const { rows, bars, spanMs } = layout;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const surface = useSurface(box);
  const whole = wholeOf(spanMs);
  const { view, isWhole, change, reset } = useView(whole);
  const [top, setTop] = useState(0);
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const [reachedByKey, setReachedByKey] = useState(false);
  const order = useMemo(() => rows.flatMap((row) => row.bars), [rows]);
  const failures = useMemo(() => bars.filter(({ look }) => look === 'failed').sort((a, b) => a.from - b.from), [bars]);
  const labelWidth = surface ? labelWidthOf(rows, surface.width) : 0;
  const scale = surface && scaleOf(surface.width, labelWidth, view);
  const rowOf = (bar: Bar): number => rows.findIndex((row) => row.bars.includes(bar));
  const reached = reachedByKey && selected && scale && pointAt(selected, rowOf(selected) * ROW_HEIGHT - top, scale);
  const told = pointed ?? (reached || null);

  useLayoutEffect(() => {
    if (!surface) return;
    draw(canvas.current!, {
      ...surface,
      rows,
      scale: scaleOf(surface.width, labelWidth, view),
      top,
      selected,
      pointed: pointed?.bar ?? null,
      critical,
    });
  }, [surface, rows, labelWidth, view, top, selected, pointed, critical]);

  const find = ({ x, y }: { x: number; y: number }): Bar | null => {
    if (!scale || x < scale.left || y < AXIS_HEIGHT) return null;
    const row = rows[Math.floor((y - AXIS_HEIGHT + box.current!.scrollTop) / ROW_HEIGHT)];
    return row ? barAt(row, timeAt(scale, x), REACH_PX * ((view.to - view.from) / scale.width)) : null;
  };
  const show = (bar: Bar): void => {
    onSelect(bar);
    change((view) => reveal(view, bar, whole));
    const y = rowOf(bar) * ROW_HEIGHT;
    const element = box.current!;
    const room = element.clientHeight - AXIS_HEIGHT - ROW_HEIGHT;
    element.scrollTop = Math.min(y, Math.max(y - room, element.scrollTop));
  };
  const gestures = useGestures(box, {
    scale,
    whole,
    change,
    isWhole,
    onPoint: (at) => {
      const bar = at && find(at);
      setReachedByKey(false);
      setPointed(bar ? { bar, x: at.x, y: at.y } : null);
    },
    onClick: (at) => {
      const bar = find(at);
      if (bar && bar === selected) onOpen(bar);
      else onSelect(bar);
    },
  });
  const zoomBy = (factor: number) => (): void => change((view) => zoom(view, factor, middleOf(selected, view), whole));
  const panBy = (share: number) => (): void => change((view) => pan(view, (view.to - view.from) * share, whole));
  const move = (among: readonly Bar[], by: number) => (): void => {
    const at = selected ? among.indexOf(selected) : -1;
    const next = at >= 0 ? among[at + by] : nearestOf(among, selected?.from ?? view.from, by);
    if (next) show(next);
  };
  const scrollBy = (by: number) => (): void => void (box.current!.scrollTop += by * ROW_HEIGHT);
  const keys: Readonly<Record<string, () => void>> = {
    '+': zoomBy(1.5),
    '=': zoomBy(1.5),
    '-': zoomBy(1 / 1.5),
    '0': reset,
    ArrowLeft: panBy(-0.15),
    ArrowRight: panBy(0.15),
    ArrowUp: scrollBy(-1),
    ArrowDown: scrollBy(1),
    Home: () => change((view) => pan(view, -whole.to, whole)),
    End: () => change((view) => pan(view, whole.to, whole)),
    j: move(order, 1),
    k: move(order, -1),
    n: move(failures, 1),
    p: move(failures, -1),
    Enter: () => selected && onOpen(selected),
    Escape: () => onSelect(null),
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const action = keys[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    setReachedByKey(true);
    action();
  };

  return (
    <Panel
      title="Timeline"
      actions={
        <span className={styles['actions']}>
          {failures.length > 0 && (
            <Button small onClick={move(failures, 1)}>
              Next failure
            </Button>
          )}
          <Button small square aria-label="Zoom out" disabled={isWhole} onClick={zoomBy(1 / 1.5)}>
            −
          </Button>
          <Button small square aria-label="Zoom in" onClick={zoomBy(1.5)}>
            +
          </Button>
          <Button small disabled={isWhole} onClick={reset}>
            Show all
          </Button>
        </span>
      }
    >
      <div className={styles['frame']}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an application has keys of its own */}
        <div
          ref={box}
          className={styles['box']}
          style={{ height: AXIS_HEIGHT + Math.min(rows.length, MOST_ROWS_SEEN) * ROW_HEIGHT }}
          role="application"
          aria-label="Results over time"
          aria-describedby="timeline-keys"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          onKeyDown={onKeyDown}
          onBlur={() => setReachedByKey(false)}
          onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
          {...gestures}
        >
          <div style={{ height: AXIS_HEIGHT + rows.length * ROW_HEIGHT }}>
            <canvas
              ref={canvas}
              className={styles['canvas']}
              style={{ width: surface?.width, height: surface?.height }}
              aria-hidden="true"
            />
          </div>
        </div>
        {told && surface && (
          <div
            className={styles['tip']}
            aria-hidden="true"
            style={
              told.x > surface.width / 2
                ? { right: surface.width - told.x + 14, top: told.y + 14 }
                : { left: told.x + 14, top: told.y + 14 }
            }
          >
            <strong>{told.bar.result.title}</strong>
            <span>{aboutBar(told.bar)}</span>
          </div>
        )}
      </div>
      <p className="unseen" role="status">
        {selected && `${selected.result.title}: ${aboutBar(selected)}`}
      </p>
      <Legend critical={critical} />
    </Panel>
  );
};

/** Beside what is seen of it; null where it is out of sight. */
const pointAt = (bar: Bar, y: number, scale: Scale): Pointed | null => {
  const { from, to } = scale.view;
  if (bar.to < from || bar.from > to) return null;
  return { bar, x: xOf(scale, Math.max(bar.from, from)), y: AXIS_HEIGHT + y + ROW_HEIGHT / 2 };
};

const labelWidthOf = (rows: readonly Row[], width: number): number => {
  const longest = rows.reduce((longest, { name }) => Math.max(longest, name.length), 0);
  return Math.min(longest * 6.5 + 18, width < NARROW_PX ? 74 : 150);
};

const middleOf = (bar: Bar | null, view: { from: number; to: number }): number => {
  const middle = bar && (bar.from + bar.to) / 2;
  return middle !== null && middle >= view.from && middle <= view.to ? middle : (view.from + view.to) / 2;
};

/** Where none is selected yet: the first one from a time on, or before it. */
const nearestOf = (among: readonly Bar[], time: number, by: number): Bar | undefined =>
  by > 0
    ? (among.find(({ from }) => from >= time) ?? among[0])
    : (among.findLast(({ from }) => from <= time) ?? among.at(-1));
