import fc from 'fast-check';

/** One change somewhere in a JSON value. */
export interface Mutation {
  /** Which object or array, counted through and round again. */
  readonly at: number;
  /** Which of its keys. */
  readonly key: number;
  readonly action: 'remove' | 'replace' | 'add' | 'duplicate';
  readonly name: string;
  readonly value: unknown;
}

const WORDS = [
  'kind',
  'name',
  'value',
  'key',
  'spread',
  'op',
  'optional',
  'global',
  'type',
  'span',
  'args',
  '$tag',
  'v',
];

export const mutationArbitrary: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(200),
  key: fc.nat(10),
  action: fc.constantFrom('remove', 'replace', 'add', 'duplicate'),
  name: fc.constantFrom(...WORDS, 'x'),
  value: fc.oneof(
    fc.constantFrom<unknown>(
      true,
      false,
      null,
      0,
      1,
      -1,
      '',
      'Param',
      'Member',
      'Constant',
      '+',
      '&&',
      '!',
      'date',
      'x',
    ),
    fc.constantFrom<unknown>([], {}, { kind: 'Param', name: 'x' }, [{ kind: 'Param', name: 'x' }], { spread: {} }),
    fc.constantFrom<unknown>({ start: 0, end: 1 }, { start: 2, end: 1 }, { $tag: 'date' }, { $tag: 'undefined' }),
    // See the keys of `valueArbitrary`.
    fc.jsonValue().filter((value) => !JSON.stringify(value).includes('\\\\')),
  ),
});

/** Changes the value in place and gives it back; the value itself when it has no object to change. */
export function mutate(json: unknown, { at, key, action, name, value }: Mutation): unknown {
  const containers: (unknown[] | Record<string, unknown>)[] = [];
  const pending = [json];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null) continue;
    containers.push(next as Record<string, unknown>);
    pending.push(...Object.values(next));
  }
  const container = containers[at % containers.length];
  if (!container) return json;
  const fresh = structuredClone(value);
  if (Array.isArray(container)) {
    const position = key % (container.length + 1);
    if (action === 'remove') container.splice(position, 1);
    else if (action === 'duplicate') container.splice(position, 0, structuredClone(container[position]));
    else container.splice(position, action === 'add' ? 0 : 1, fresh);
    return json;
  }
  const keys = Object.keys(container);
  const chosen = keys[key % keys.length] ?? name;
  if (action === 'remove') Reflect.deleteProperty(container, chosen);
  else if (action === 'replace') container[chosen] = fresh;
  else container[name] = action === 'add' ? fresh : structuredClone(container[chosen]);
  return json;
}
