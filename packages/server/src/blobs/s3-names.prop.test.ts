import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formsOf, keyOf, quarantineKeyOf, readKey, readQuarantineKey } from './s3-names.ts';

const hash = fc.stringMatching(/^[0-9a-f]{64}$/);
const name = fc.record({
  hash,
  encoding: fc.constantFrom('identity' as const, 'gzip' as const),
  storedBytes: fc.nat(),
});

it('a key says which content it has and how', () => {
  fc.assert(
    fc.property(name, fc.nat(), fc.uuid(), (blob, now, random) => {
      const key = keyOf(blob);
      expect(readKey(key, blob.storedBytes)).toEqual({ ...blob, key });
      const aside = quarantineKeyOf(blob, now, random);
      expect(readQuarantineKey(aside, blob.storedBytes)).toEqual({ ...blob, key: aside, liveKey: key, since: now });
      expect(key.startsWith(formsOf(blob.hash).blobs)).toBe(true);
      expect(aside.startsWith(formsOf(blob.hash).quarantine)).toBe(true);
      expect(readKey(aside, blob.storedBytes)).toBeNull();
      expect(readQuarantineKey(key, blob.storedBytes)).toBeNull();
    }),
  );
});

it('a compressed object with another size than its name says is none', () => {
  fc.assert(
    fc.property(hash, fc.nat(), fc.nat(), (content, said, found) => {
      fc.pre(said !== found);
      expect(readKey(keyOf({ hash: content, encoding: 'gzip', storedBytes: said }), found)).toBeNull();
    }),
  );
});

it('other keys are none', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      for (const read of [readKey, readQuarantineKey]) {
        expect(read(text, 1)).toBeNull();
        expect(read(`blobs/${text}`, 1)).toBeNull();
        expect(read(`quarantine/${text}`, 1)).toBeNull();
      }
    }),
  );
});
