import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors.ts';
import { canonical, CODES, isEnvelope, parseEnvelope } from '../index.ts';

const pairs = (codes: readonly string[], paths: readonly string[]) => codes.map((code, i) => `${code} ${paths[i]}`);

describe.each(['shape', 'refusal', 'constants'])('conformance: %s', (file) => {
  it.each(readVectors(file))('$name', ({ input, text, mode, limits, expect: expected }) => {
    const inputs = text === undefined ? [input, JSON.stringify(input)] : [text];
    for (const given of inputs) {
      const result = parseEnvelope(given, { mode, limits });
      if (typeof given !== 'string') expect(isEnvelope(given, { mode, limits })).toBe(expected.ok);
      if (result.ok) {
        expect({ ok: true, canonical: canonical(result.tree) }).toEqual(expected);
        const again = parseEnvelope(canonical(result.tree));
        expect(again.ok && canonical(again.tree)).toBe(canonical(result.tree));
      } else {
        const codes = result.issues.map((issue) => issue.code);
        expect(codes.every((code) => Object.hasOwn(CODES, code))).toBe(true);
        if (expected.ok) expect(result.issues).toEqual([]);
        else {
          const found = pairs(
            codes,
            result.issues.map((issue) => issue.path),
          );
          expect(found.toSorted()).toEqual(pairs(expected.codes, expected.paths).toSorted());
          if (expected.codes[0] === 'envelope.version.newer') expect(codes[0]).toBe(expected.codes[0]);
        }
      }
    }
  });
});
