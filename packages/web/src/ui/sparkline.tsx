interface Props {
  /** Oldest first; a gap where there is none. */
  readonly values: readonly (number | null)[];
  /** What the line says in words. */
  readonly label: string;
  readonly colour?: string;
  readonly width?: number;
  readonly height?: number;
  /** The range of the axis; that of the values without it. */
  readonly from?: number;
  readonly to?: number;
}

/** A small series without axes. */
export const Sparkline = ({ values, label, colour = 'var(--series-1)', width = 96, height = 24, from, to }: Props) => {
  const known = values.filter((value) => value !== null);
  const low = from ?? Math.min(...known);
  const high = Math.max(to ?? Math.max(...known), low + 1e-9);
  const x = (at: number): number => (values.length < 2 ? width / 2 : 2 + (at / (values.length - 1)) * (width - 4));
  const y = (value: number): number => height - 2 - ((value - low) / (high - low)) * (height - 4);
  const points = values.flatMap((value, at) => (value === null ? [] : `${x(at).toFixed(1)},${y(value).toFixed(1)}`));
  const last = points.at(-1)?.split(',');
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <title>{label}</title>
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke={colour}
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      {last && <circle cx={last[0]} cy={last[1]} r="2" fill={colour} />}
    </svg>
  );
};
