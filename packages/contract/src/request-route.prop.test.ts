import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isStaticResource, normaliseRoute, withoutSecrets } from './request-route.ts';

describe('a route', () => {
  it.each([
    ['https://shop.test/api/users/42?token=secret', '/api/users/:id'],
    ['https://shop.test/api/users/42/orders/7#top', '/api/users/:id/orders/:id'],
    ['https://shop.test/f/123e4567-e89b-12d3-a456-426614174000', '/f/:uuid'],
    ['https://shop.test/a/DEADBEEFDEADBEEF/b', '/a/:hash/b'],
    ['https://shop.test/a/deadbeefdeadbee/b', '/a/deadbeefdeadbee/b'],
    ['https://shop.test/a/abcdefghij0123456789', '/a/:hash'],
    ['https://shop.test/a/abcdefghijklmnopqrstuvwxyz', '/a/abcdefghijklmnopqrstuvwxyz'],
    ['https://shop.test/v2/health', '/v2/health'],
    ['https://shop.test', '/'],
    ['not a url?x=1', 'not a url'],
    ['/relative/42?x=1', '/relative/42'],
  ])('of %s is %s', (url, route) => {
    expect(normaliseRoute(url)).toBe(route);
  });

  it('does not depend on the ids in it', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.uuid(), fc.uuid(), (id, otherId, uuid, otherUuid) => {
        expect(normaliseRoute(`https://a.test/x/${id}/${uuid}`)).toBe(
          normaliseRoute(`https://a.test/x/${otherId}/${otherUuid}`),
        );
      }),
    );
  });

  it('never has a query, whatever the URL', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string()), (url) => {
        expect(normaliseRoute(url)).not.toMatch(/[?#]/);
        expect(normaliseRoute(normaliseRoute(url))).not.toMatch(/[?#]/);
      }),
    );
  });
});

describe('what is stored of a URL', () => {
  it('has no query, fragment or credentials', () => {
    expect(withoutSecrets('https://user:pass@shop.test/a?token=1#x')).toBe('https://shop.test/a');
    expect(withoutSecrets('/a/b?c=d')).toBe('/a/b');
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        const stored = withoutSecrets(url);
        expect(stored).not.toMatch(/[?#]/);
        expect(url.startsWith(stored)).toBe(true);
      }),
    );
  });
});

describe('a static resource', () => {
  it.each([
    ['image', 'https://a.test/x', true],
    ['Script', 'https://a.test/x', true],
    ['xhr', 'https://a.test/x.png', false],
    [null, 'https://a.test/x.png?v=1', true],
    [undefined, 'https://a.test/x.json', false],
  ])('by type %s and address %s: %s', (type, url, expected) => {
    expect(isStaticResource(type, url)).toBe(expected);
  });
});
