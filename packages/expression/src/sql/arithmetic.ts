import type { DialectRules } from './dialect.ts';
import { NotPushed, bound, raw, sql } from './fragment.ts';
import type { Sql } from './fragment.ts';
import { constantValue } from './value.ts';
import type { SqlValue } from './value.ts';

/**
 * Numbers are IEEE doubles in memory and in both databases; what differs is at the edges. NaN is NULL here. SQLite divides
 * by zero into NULL and forgets the sign of zero; PostgreSQL refuses every result that overflows, or underflows to zero.
 */
export type Arithmetic = '+' | '-' | '*' | '/';

export const arithmetic = (op: Arithmetic, left: SqlValue, right: SqlValue, rules: DialectRules): SqlValue => {
  if (left.constant && right.constant) {
    return constantValue(apply(op, left.constant.value as number, right.constant.value as number));
  }
  if (left.constant && (op === '+' || op === '*')) return arithmetic(op, right, left, rules);
  const result = rules.name === 'sqlite' ? inSqlite(op, left, right, rules) : inPostgres(op, left, right, rules);
  return { sql: result, type: 'number', nulls: 'nan', infinite: true, negativeZero: zeroSign(op, left, right) };
};

export const negated = (operand: SqlValue, rules: DialectRules): SqlValue =>
  operand.constant
    ? constantValue(-(operand.constant.value as number))
    : { ...operand, sql: sql`(-${asDouble(operand, rules)})`, negativeZero: true, stored: false };

const apply = (op: Arithmetic, left: number, right: number): number => {
  switch (op) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
  }
};

const zeroSign = (op: Arithmetic, left: SqlValue, right: SqlValue): boolean => {
  if (op === '+') return Boolean(left.negativeZero) && Boolean(right.negativeZero);
  return op === '-' ? Boolean(left.negativeZero) : true;
};

export const asDouble = (value: SqlValue, rules: DialectRules): Sql =>
  value.stored ? rules.double(value.sql) : value.sql;

const inSqlite = (op: Arithmetic, left: SqlValue, right: SqlValue, rules: DialectRules): Sql => {
  const [x, y] = [asDouble(left, rules), asDouble(right, rules)];
  if (op !== '/' || (right.constant && right.constant.value !== 0)) return sql`(${x} ${raw(op)} ${y})`;
  if (right.negativeZero) throw new NotPushed('a division by what may be a negative zero');
  const infinite = sql`CASE WHEN ${x} > 0 THEN ${rules.infinity} WHEN ${x} < 0 THEN -${rules.infinity} END`;
  return sql`CASE WHEN ${y} = 0 THEN ${infinite} ELSE ${x} / ${y} END`;
};

const inPostgres = (op: Arithmetic, left: SqlValue, right: SqlValue, rules: DialectRules): Sql => {
  const negative = op === '-' ? right.constant : undefined;
  const other = negative ? constantValue(-(negative.value as number)) : right;
  const [x, y] = [asDouble(left, rules), asDouble(other, rules)];
  const constant = other.constant?.value as number | undefined;
  if (constant !== undefined && Number.isFinite(constant)) {
    if ((op === '+' || op === '-') && Math.abs(constant) < SMALLEST_THAT_OVERFLOWS) return sql`(${x} + ${y})`;
    if ((op === '*' || op === '/') && constant !== 0) return withConstant(op, x, y, constant, rules);
  }
  const names = sql`FROM (SELECT ${x} AS x, ${op === '-' && !negative ? sql`-(${y})` : y} AS y) AS assay_n`;
  return sql`(SELECT NULLIF(${GUARDED[op === '-' ? '+' : op]}, 'NaN') ${names})`;
};

/** Half of the step between the largest doubles: what is smaller cannot carry a sum over the edge. */
const SMALLEST_THAT_OVERFLOWS = 2 ** 970;

/** With one operand known, the operands that overflow or vanish are two ranges. */
const withConstant = (op: '*' | '/', x: Sql, y: Sql, constant: number, rules: DialectRules): Sql => {
  const magnitude = Math.abs(constant);
  const result = (operand: number): number => (op === '*' ? operand * magnitude : operand / magnitude);
  const vanishes = firstDouble((operand) => result(operand) > 0);
  const overflows = firstDouble((operand) => result(operand) === Infinity);
  const branches: Sql[] = [];
  const sign = raw(constant < 0 ? '-' : '');
  if (vanishes > Number.MIN_VALUE) {
    branches.push(sql` WHEN abs(${x}) < ${bound(vanishes, 'double precision')} THEN ${x} * ${sign}0::double precision`);
  }
  if (Number.isFinite(overflows)) {
    const factor = sql`${sign}${rules.infinity}`;
    branches.push(sql` WHEN abs(${x}) >= ${bound(overflows, 'double precision')} THEN ${x} * (${factor})`);
  }
  const plain = sql`${x} ${raw(op)} ${y}`;
  if (branches.length === 0) return sql`(${plain})`;
  const [first, second] = branches;
  return sql`CASE${first!}${second ?? raw('')} ELSE ${plain} END`;
};

/** The smallest positive double for which a monotonous condition holds; Infinity if for no finite one. */
const firstDouble = (holds: (operand: number) => boolean): number => {
  const view = new DataView(new ArrayBuffer(8));
  const double = (bits: bigint): number => {
    view.setBigUint64(0, bits);
    return view.getFloat64(0);
  };
  let [low, high] = [1n, 0x7ff0_0000_0000_0000n];
  while (low < high) {
    const middle = (low + high) >> 1n;
    if (holds(double(middle))) high = middle;
    else low = middle + 1n;
  }
  return double(low);
};

const INFINITE = `abs(x) = 'Infinity' OR abs(y) = 'Infinity'`;
const SIGN = `sign(x) * sign(y)`;
const power = (exponent: number): string => `${2 ** exponent}::double precision`;

/** A product of small numbers, scaled so that it vanishes up to 1. */
const SCALED = `(abs(x) * ${power(537)}) * (abs(y) * ${power(538)})`;

/** Where the scaled product is 1 after rounding: whether it is not above 1 before, by Dekker's exact product. */
const ROUNDED_UP =
  `(SELECT (u - a) * (v - b) - (((1 - a * b) - (u - a) * b) - a * (v - b)) <= 0 FROM ` +
  `(SELECT u, v, u * 134217729 - (u * 134217729 - u) AS a, v * 134217729 - (v * 134217729 - v) AS b FROM ` +
  `(SELECT abs(x) * ${power(537)} AS u, abs(y) * ${power(538)} AS v) AS assay_s) AS assay_h)`;

/**
 * Powers of two scale without rounding, so the scaled operands tell what the result would be. CASE is nested because AND
 * promises no order.
 */
const GUARDED: Record<'+' | '*' | '/', Sql> = {
  '+': raw(
    `CASE WHEN (abs(x) < 8e307 AND abs(y) < 8e307) OR ${INFINITE} THEN x + y ` +
      `WHEN abs(CASE WHEN abs(x) < 1 THEN 0 ELSE x * 0.5 END + CASE WHEN abs(y) < 1 THEN 0 ELSE y * 0.5 END) >= ${power(1023)} ` +
      `THEN sign(x) * 'Infinity' ELSE x + y END`,
  ),
  '*': raw(
    `CASE WHEN x = 0 OR y = 0 OR ${INFINITE} THEN x * y ` +
      `WHEN abs(x) < 1 AND abs(y) < 1 AND least(abs(x), abs(y)) < ${power(-60)} THEN ` +
      `CASE WHEN ${SCALED} < 1 THEN ${SIGN} * 0 WHEN ${SCALED} > 1 THEN x * y WHEN ${ROUNDED_UP} THEN ${SIGN} * 0 ELSE x * y END ` +
      `WHEN abs(x) >= 1 AND abs(y) >= 1 THEN CASE WHEN (abs(x) * ${power(-512)}) * (abs(y) * ${power(-512)}) >= 1 THEN ${SIGN} * 'Infinity' ELSE x * y END ` +
      `ELSE x * y END`,
  ),
  '/': raw(
    `CASE WHEN y = 0 THEN CASE WHEN x <> 0 THEN sign(x) * CASE WHEN get_byte(float8send(y), 0) >= 128 THEN -'Infinity'::double precision ELSE 'Infinity' END END ` +
      `WHEN x = 0 OR ${INFINITE} THEN x / y ` +
      `WHEN abs(y) < ${power(-500)} THEN CASE WHEN abs(x) >= abs(y) * ${power(1000)} * ${power(24)} THEN ${SIGN} * 'Infinity' ELSE x / y END ` +
      `WHEN abs(y) < 1 THEN CASE WHEN abs(x) < 1 THEN x / y WHEN abs(x) * ${power(-100)} >= abs(y) * ${power(924)} THEN ${SIGN} * 'Infinity' ELSE x / y END ` +
      `WHEN abs(x) < ${power(-50)} THEN CASE WHEN abs(x) * ${power(1000)} <= abs(y) * ${power(-75)} THEN ${SIGN} * 0 ELSE x / y END ` +
      `ELSE x / y END`,
  ),
};
