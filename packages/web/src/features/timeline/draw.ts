import { formatDuration } from '../../format/duration.ts';
import { graphemeBoundary } from '../../format/text.ts';
import type { Look } from '../status/outcome.ts';
import { ticksOf } from './axis.ts';
import { type Bar, durationMsOf, type Row } from './layout.ts';
import type { View } from './view.ts';

export const AXIS_HEIGHT = 24;
export const ROW_HEIGHT = 26;
/** Right of the last result, so that one without a length is seen there too. */
const MARGIN = 8;
const LETTER = 6;
const SHORTEST_TEXT = 48;
const TICK_ROOM = 84;

const TOKENS = {
  ground: '--surface',
  track: '--ground',
  band: '--selected',
  line: '--line',
  ink: '--ink',
  quiet: '--ink-2',
  path: '--accent',
  passed: '--passed-fill',
  passedSoft: '--passed-soft',
  failed: '--failed-fill',
  failedSoft: '--failed-soft',
  flaky: '--flaky-fill',
  flakySoft: '--flaky-soft',
  skipped: '--skipped',
  skippedSoft: '--skipped-soft',
  running: '--running-fill',
  runningSoft: '--running-soft',
} as const;

export type Colours = Readonly<Record<keyof typeof TOKENS | 'font', string>>;

/** As the theme of the moment has them. */
export const readColours = (element: HTMLElement): Colours => {
  const probe = document.createElement('span');
  element.append(probe);
  const colours = Object.fromEntries(
    Object.entries(TOKENS).map(([name, token]) => {
      probe.style.color = `var(${token})`;
      return [name, getComputedStyle(probe).color];
    }),
  );
  const font = getComputedStyle(probe).fontFamily;
  probe.remove();
  return { ...colours, font } as Colours;
};

interface Style {
  readonly fill: keyof Colours;
  readonly soft: keyof Colours;
  /** Each look has its own height and mark: colour alone tells nothing to one reader in twelve. */
  readonly height: number;
  readonly mark: string;
  readonly least: number;
}

/** Drawn in this order: what matters most lies on top where there is no room for all. */
const STYLES: Readonly<Record<Look, Style>> = {
  skipped: { fill: 'skipped', soft: 'skippedSoft', height: 6, mark: '– ', least: 2 },
  passed: { fill: 'passed', soft: 'passedSoft', height: 14, mark: '', least: 1.5 },
  other: { fill: 'skipped', soft: 'skippedSoft', height: 10, mark: '? ', least: 2 },
  running: { fill: 'running', soft: 'runningSoft', height: 14, mark: '… ', least: 2 },
  flaky: { fill: 'flaky', soft: 'flakySoft', height: 18, mark: '≈ ', least: 3 },
  failed: { fill: 'failed', soft: 'failedSoft', height: 23, mark: '× ', least: 4 },
};
const LOOKS = Object.keys(STYLES) as Look[];

/** Where times are in a drawing of this width. */
export interface Scale {
  readonly left: number;
  readonly width: number;
  readonly view: View;
}

export const scaleOf = (width: number, labelWidth: number, view: View): Scale => ({
  left: labelWidth,
  width: Math.max(1, width - labelWidth - MARGIN),
  view,
});

export const xOf = ({ left, width, view }: Scale, time: number): number =>
  left + ((time - view.from) / (view.to - view.from)) * width;

export const timeAt = ({ left, width, view }: Scale, x: number): number =>
  view.from + ((x - left) / width) * (view.to - view.from);

export interface Drawing {
  readonly rows: readonly Row[];
  readonly scale: Scale;
  readonly width: number;
  readonly height: number;
  readonly pixelRatio: number;
  /** How far the rows are scrolled. */
  readonly top: number;
  readonly colours: Colours;
  readonly selected: Bar | null;
  readonly pointed: Bar | null;
  /** Where there is one, workers are known: their gaps are drawn. */
  readonly critical: Row | null;
}

export const draw = (canvas: HTMLCanvasElement, drawing: Drawing): void => {
  const { width, height, pixelRatio, colours, rows, top, scale, selected } = drawing;
  canvas.width = Math.round(width * pixelRatio);
  canvas.height = Math.round(height * pixelRatio);
  const context = canvas.getContext('2d');
  if (!context) return;
  context.scale(pixelRatio, pixelRatio);
  context.font = `11px ${colours.font}`;
  context.textBaseline = 'middle';
  context.fillStyle = colours.ground;
  context.fillRect(0, 0, width, height);
  const first = Math.floor(top / ROW_HEIGHT);
  const seen = rows
    .slice(first, first + Math.ceil(height / ROW_HEIGHT) + 1)
    .map((row, at) => ({ row, y: AXIS_HEIGHT + (first + at) * ROW_HEIGHT - top }));

  context.save();
  context.beginPath();
  context.rect(scale.left, 0, width - scale.left, height);
  context.clip();
  for (const { y } of seen) {
    context.fillStyle = colours.track;
    context.fillRect(scale.left, y + 1, width, ROW_HEIGHT - 2);
  }
  if (selected) {
    context.fillStyle = colours.band;
    const from = xOf(scale, selected.from);
    context.fillRect(from, AXIS_HEIGHT, Math.max(1, xOf(scale, selected.to) - from), height);
  }
  drawAxis(context, drawing);
  const hatch = hatchOf(context, colours.failed);
  for (const { row, y } of seen) drawRow(context, drawing, row, y, hatch);
  context.restore();

  for (const { row, y } of seen) drawName(context, drawing, row, y);
  // Rows that are scrolled up go behind the axis.
  context.fillStyle = colours.ground;
  context.fillRect(0, 0, width, AXIS_HEIGHT);
  drawTimes(context, drawing);
};

const ticks = ({ scale }: Drawing) =>
  ticksOf(scale.view.from, scale.view.to, Math.max(1, Math.floor(scale.width / TICK_ROOM)));

const drawAxis = (context: CanvasRenderingContext2D, drawing: Drawing): void => {
  const { scale, colours, height } = drawing;
  context.fillStyle = colours.line;
  for (const { at } of ticks(drawing)) context.fillRect(Math.round(xOf(scale, at)), AXIS_HEIGHT, 1, height);
};

const drawTimes = (context: CanvasRenderingContext2D, drawing: Drawing): void => {
  const { scale, colours, width } = drawing;
  context.fillStyle = colours.quiet;
  for (const { at, label } of ticks(drawing)) {
    const half = context.measureText(label).width / 2;
    context.fillText(label, Math.min(xOf(scale, at) - half, width - 2 * half), AXIS_HEIGHT / 2);
  }
};

const drawName = (context: CanvasRenderingContext2D, drawing: Drawing, row: Row, y: number): void => {
  const { colours, scale, critical } = drawing;
  context.fillStyle = colours.ground;
  context.fillRect(0, y, scale.left, ROW_HEIGHT);
  context.fillStyle = row === critical ? colours.path : colours.quiet;
  context.fillText(row.name, 8, y + ROW_HEIGHT / 2, scale.left - 14);
};

const drawRow = (
  context: CanvasRenderingContext2D,
  drawing: Drawing,
  row: Row,
  y: number,
  hatch: CanvasPattern | null,
): void => {
  const { scale, colours, critical, selected, pointed } = drawing;
  const { from, to } = scale.view;
  const middle = y + ROW_HEIGHT / 2;
  for (const gap of critical ? row.gaps : []) {
    if (gap.to < from || gap.from > to) continue;
    const left = Math.max(scale.left, xOf(scale, gap.from));
    const wide = Math.min(scale.left + scale.width, xOf(scale, gap.to)) - left;
    context.fillStyle = colours.quiet;
    if (wide > 3) context.fillRect(left + 1, middle, wide - 2, 1);
    const words = `idle ${formatDuration(durationMsOf(gap))}`;
    const room = words.length * LETTER;
    if (wide < room + 24) continue;
    context.fillStyle = colours.track;
    context.fillRect(left + (wide - room) / 2, y + 4, room, ROW_HEIGHT - 8);
    context.fillStyle = colours.quiet;
    context.fillText(words, left + (wide - context.measureText(words).width) / 2, middle);
  }
  const seen = row.bars.filter((bar) => bar.to >= from && bar.from <= to);
  for (const look of LOOKS) {
    for (const bar of seen) if (bar.look === look) drawBar(context, drawing, bar, middle, hatch);
  }
  if (row === critical) {
    context.fillStyle = colours.path;
    for (const bar of seen) {
      const left = xOf(scale, bar.from);
      context.fillRect(left, y + ROW_HEIGHT - 2, Math.max(1, xOf(scale, bar.to) - left), 2);
    }
  }
  for (const bar of [pointed, selected]) {
    if (!bar || !row.bars.includes(bar)) continue;
    const { left, wide } = placeOf(scale, bar);
    context.strokeStyle = colours.ink;
    context.lineWidth = bar === selected ? 2 : 1;
    context.strokeRect(left - 1, y + 1, wide + 2, ROW_HEIGHT - 2);
  }
};

/** Only as far as it is seen: a bar of days in a view of milliseconds would be too wide to be drawn. */
const placeOf = (scale: Scale, bar: Bar): { left: number; wide: number } => {
  const left = Math.max(scale.left - MARGIN, xOf(scale, bar.from));
  const right = Math.min(scale.left + scale.width + 2 * MARGIN, xOf(scale, bar.to));
  return { left, wide: Math.max(STYLES[bar.look].least, right - left) };
};

const drawBar = (
  context: CanvasRenderingContext2D,
  { scale, colours }: Drawing,
  bar: Bar,
  middle: number,
  hatch: CanvasPattern | null,
): void => {
  const { fill, soft, height, mark } = STYLES[bar.look];
  const { left, wide } = placeOf(scale, bar);
  const top = middle - height / 2;
  const roomy = wide >= SHORTEST_TEXT;
  context.fillStyle = colours[roomy ? soft : fill];
  context.fillRect(left, top, wide, height);
  const afterEarlier = Math.min(left + wide, xOf(scale, bar.from + bar.earlierMs));
  if (bar.earlierMs > 0 && afterEarlier - left >= 2) {
    context.fillStyle = colours.failedSoft;
    context.fillRect(left, top, afterEarlier - left, height);
    context.fillStyle = hatch ?? colours.failed;
    context.globalAlpha = roomy ? 0.4 : 1;
    context.fillRect(left, top, afterEarlier - left, height);
    context.globalAlpha = 1;
  }
  if (!roomy) return;
  context.strokeStyle = colours[fill];
  context.lineWidth = bar.look === 'failed' ? 2 : 1;
  context.strokeRect(left + 0.5, top + 0.5, wide - 1, height - 1);
  const start =
    Math.max(scale.left, bar.earlierMs > 0 && wide - (afterEarlier - left) >= SHORTEST_TEXT ? afterEarlier : left) + 5;
  const room = Math.min(left + wide, scale.left + scale.width + MARGIN) - start - 4;
  if (room < SHORTEST_TEXT - 9) return;
  // Marks above and below letters stay in their row.
  context.save();
  context.beginPath();
  context.rect(left, middle - ROW_HEIGHT / 2, wide, ROW_HEIGHT);
  context.clip();
  context.fillStyle = colours.ink;
  context.fillText(
    mark + shortened(bar.result.title, Math.floor(room / LETTER) - mark.length),
    start,
    middle + 0.5,
    room,
  );
  context.restore();
};

/** The end of a title says more than the groups that it is in. */
const shortened = (title: string, letters: number): string => {
  if (title.length <= letters) return title;
  const last = title.slice(title.lastIndexOf(' › ') + 1).replace(/^› /, '');
  return last.length <= letters ? last : `${last.slice(0, graphemeBoundary(last, Math.max(1, letters - 1)))}…`;
};

/** Attempts that failed before another one. */
const hatchOf = (context: CanvasRenderingContext2D, colour: string): CanvasPattern | null => {
  const size = 6;
  const tile = document.createElement('canvas');
  tile.width = size;
  tile.height = size;
  const inside = tile.getContext('2d');
  if (!inside) return null;
  inside.strokeStyle = colour;
  inside.lineWidth = 1.5;
  for (const shift of [-size, 0, size]) {
    inside.moveTo(shift, size);
    inside.lineTo(shift + size, 0);
  }
  inside.stroke();
  return context.createPattern(tile, 'repeat');
};
