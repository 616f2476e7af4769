import { describe, expect, it } from 'vitest';
import { codeownersIssue, readCodeowners } from './codeowners.ts';

describe('a pattern', () => {
  it.each([
    ['*', 'a.ts', true],
    ['*', 'a/b/c.ts', true],
    ['*.ts', 'a/b/c.ts', true],
    ['*.ts', 'a/b.ts/c.js', true],
    ['*.ts', 'a/b.tsx', false],
    ['docs/', 'docs/a.md', true],
    ['docs/', 'web/docs/a.md', true],
    ['docs/', 'docs', false],
    ['/docs/', 'web/docs/a.md', false],
    ['/docs', 'docs/a/b.md', true],
    ['/docs', 'docs', true],
    ['docs/*', 'docs/a.md', true],
    ['docs/*', 'docs/a/b.md', false],
    ['docs/**', 'docs/a/b.md', true],
    ['docs', 'web/docs/a.md', true],
    ['/build/logs/', 'build/logs/a.log', true],
    ['build/logs/', 'web/build/logs/a.log', false],
    ['**/logs', 'web/build/logs/a.log', true],
    ['/apps/*/tests/', 'apps/web/tests/a/b.ts', true],
    ['/apps/*/tests/', 'apps/web/core/tests/b.ts', false],
    ['/apps/**/tests/', 'apps/web/core/tests/b.ts', true],
    ['/apps/**/tests/', 'apps/tests/b.ts', true],
    ['/src/?art.ts', 'src/cart.ts', true],
    ['/src/?art.ts', 'src/art.ts', false],
    ['/with\\ space/', 'with space/a.ts', true],
    ['/Docs/', 'docs/a.md', false],
    ['\\#1.ts', '#1.ts', true],
  ])('%s and %s: %s', (pattern, path, matches) => {
    expect(readCodeowners(`${pattern} @me`)(path)).toEqual(matches ? ['@me'] : []);
  });

  it('never takes long', () => {
    const ownersOf = readCodeowners(`/${'*a'.repeat(400)}*b @me\n/${'**/a/'.repeat(200)}b @me`);
    expect(ownersOf(`${'a'.repeat(2_000)}c`)).toEqual([]);
    expect(ownersOf('a/'.repeat(1_000))).toEqual([]);
  });
});

describe('a hostile file', () => {
  it('takes no longer than others, though its rules together would', () => {
    const lines = [`*${'a'.repeat(700)}b @me`, `**/${'a*/'.repeat(200)}b @me`, '*a*a*a*a*a*a*b @me'];
    const ownersOf = readCodeowners(lines.flatMap((line) => Array<string>(333).fill(line)).join('\n'));
    for (let nth = 0; nth < 5; nth++) {
      expect(ownersOf(`${'a'.repeat(4_000)}${nth}`)).toEqual([]);
      expect(ownersOf(`${'a/'.repeat(2_000)}${nth}`)).toEqual([]);
    }
    expect(ownersOf(`${'a'.repeat(700)}b`), 'what few steps find is found').toEqual(['@me']);
  });

  it('gives nothing more owners than a hundred, none with a very long name', () => {
    const names = Array.from({ length: 150 }, (_, nth) => `@${nth}`);
    expect(readCodeowners(`* ${names.join(' ')}`)('a')).toEqual(names.slice(0, 100));
    expect(readCodeowners(names.map((name) => `[${name}]\n* ${name}`).join('\n'))('a')).toEqual(names.slice(0, 100));
    expect(readCodeowners(`* @${'x'.repeat(255)}`)('a')).toEqual([]);
  });
});

describe('a file', () => {
  it('is read from its last line on', () => {
    const ownersOf = readCodeowners(`
      # Everything
      *            @all   # unless below
      /web/        @web @org/design ada@example.com
      /web/vendor/
      /web/vendor/kept.js @web
      /api/        api-team
      `);
    expect(ownersOf('a.ts')).toEqual(['@all']);
    expect(ownersOf('web/a.ts')).toEqual(['@web', '@org/design', 'ada@example.com']);
    expect(ownersOf('web/vendor/a.js'), 'a line without owners').toEqual([]);
    expect(ownersOf('web/vendor/kept.js')).toEqual(['@web']);
    expect(ownersOf('api/a.ts'), 'a line with a word that is no owner').toEqual(['@all']);
  });

  it('may have sections, each of which counts', () => {
    const ownersOf = readCodeowners(`
* @all
[Web] @web
/web/
/web/secret/ @ada
^[Docs][2] @writers
*.md
*.txt @@maintainers
`);
    expect(ownersOf('web/a.ts')).toEqual(['@all', '@web']);
    expect(ownersOf('web/secret/a.md')).toEqual(['@all', '@ada', '@writers']);
    expect(ownersOf('a.txt'), 'a role of GitLab').toEqual(['@all', '@@maintainers']);
  });

  it('may be empty, or anything', () => {
    for (const text of ['', '\0', '[', '[]', '\\', '/ @a', '// @a', '@a', '!x @a', '\u2028* @a']) {
      expect(() => readCodeowners(text)('a/b.ts')).not.toThrow();
    }
  });

  it('with thousands of folders is fine, with thousands of patterns for every folder it is not', () => {
    const many = (pattern: (nth: number) => string) =>
      Array.from({ length: 5_000 }, (_, nth) => `${pattern(nth)} @team-${nth}`).join('\n');
    const folders = many((nth) => `/types/lib-${nth}/`);
    expect(codeownersIssue(folders)).toBeNull();
    expect(readCodeowners(folders)('types/lib-4321/index.d.ts')).toEqual(['@team-4321']);
    expect(codeownersIssue(many((nth) => `*.x${nth}`))).toContain('at most 1000 patterns');
    expect(codeownersIssue(many((nth) => `/web/*-${nth}.ts`))).toContain('at most 1000 patterns');
  });
});
