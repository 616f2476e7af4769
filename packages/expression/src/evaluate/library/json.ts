import { type Run, type Site, charge, chargeSlowText, fail, limitText, roomForItems, roomForText } from '../run.ts';
import {
  checked,
  findElement,
  forbidProto,
  ownEntries,
  timeOf,
  toInteger,
  toText,
  typeOf,
  withinDepth,
} from '../value.ts';

/** `JSON.parse` of what fits the limits. */
export const parseJson = (run: Run, value: unknown, at: Site): unknown => {
  const text = toText(run, value, at);
  limitText(run, text.length, at);
  chargeSlowText(run, text.length, at);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return fail('eval.syntax', at, 'The text is not JSON');
  }
  checkParsed(run, parsed, at);
  return parsed;
};

const checkParsed = (run: Run, root: unknown, at: Site): void => {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 1 }];
  for (let item = open.pop(); item; item = open.pop()) {
    const { value, depth } = item;
    if (typeof value !== 'object' || value === null) continue;
    withinDepth(run, depth, at);
    const entries = Object.entries(value) as [string, unknown][];
    roomForItems(run, entries.length, at);
    for (const [key, child] of entries) {
      forbidProto(key, at);
      open.push({ value: child, depth: depth + 1 });
    }
  }
};

/** `JSON.stringify` of own data: no `toJSON` is ever called, and a replacer is not taken. */
export const writeJson = (run: Run, args: readonly unknown[], at: Site): string | undefined => {
  const [value, replacer, space] = args;
  if ((replacer ?? null) !== null) fail('eval.type', at, 'JSON.stringify takes no replacer here');
  const indent = typeof space === 'number' ? toInteger(run, space, at) : typeof space === 'string' ? space : '';
  const gap = typeof indent === 'number' ? Math.min(10, Math.max(0, indent)) : Math.min(10, indent.length);
  let least = 0;
  /** The text will be at least as long as all that is made room for: nothing is made that is much too long. */
  const room = (length: number): void => limitText(run, (least += length), at);
  /** A copy that has no prototypes, so that the engine finds no `toJSON`. */
  const copy = (part: unknown, depth: number): unknown => {
    withinDepth(run, depth, at);
    charge(run, 1, at);
    room(1 + gap * (depth - 1));
    const type = typeOf(checked(part, at));
    if (type === 'bigint') return fail('eval.type', at, 'A bigint has no JSON');
    if (type === 'date') {
      const time = timeOf(part as Date);
      return Number.isNaN(time) ? null : new Date(time).toISOString();
    }
    if (type === 'string') {
      room((part as string).length);
      chargeSlowText(run, (part as string).length, at);
    }
    if (type === 'array') {
      const items: unknown[] = [];
      findElement(run, part as object, at, (element) => void items.push(copy(element, depth + 1)), { holes: true });
      return Object.setPrototypeOf(items, null) as unknown;
    }
    if (type !== 'object' && type !== 'regexp') return part;
    const object = Object.create(null) as Record<string, unknown>;
    for (const [key, property] of type === 'object' ? ownEntries(run, part as object, at) : []) {
      const made = copy(property, depth + 1);
      if (made === undefined) continue;
      room(key.length);
      object[key] = made;
    }
    return object;
  };
  const text = JSON.stringify(copy(value, 1), undefined, indent) as string | undefined;
  if (text !== undefined) roomForText(run, text.length, at);
  return text;
};
