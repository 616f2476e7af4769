import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseLog, readCommits, readHistory } from './read-commits.ts';

let top: string;
let folder: string;
const IDENTITY = { GIT_AUTHOR_NAME: 'Ada Lovelace', GIT_AUTHOR_EMAIL: 'ada@example.com', GIT_COMMITTER_NAME: 'Bot' };
const ENV = { ...process.env, ...IDENTITY, GIT_COMMITTER_EMAIL: 'bot@example.com', GIT_CONFIG_GLOBAL: '/dev/null' };
const git = (...args: string[]): string =>
  execFileSync('git', ['-C', folder, ...args], { env: { ...ENV, GIT_COMMITTER_DATE: '2026-03-01T10:00:00+02:00' } })
    .toString()
    .trim();
const commit = (subject: string): string => {
  git('add', '-A');
  git('commit', '-qm', subject);
  return git('rev-parse', 'HEAD');
};
const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);

beforeAll(() => {
  top = mkdtempSync(join(tmpdir(), 'assay-commits-'));
  folder = join(top, 'origin');
  mkdirSync(folder);
  git('init', '-q', '-b', 'main');
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

describe('commits of a checkout', () => {
  it('are read with their parents and files, and shallow clones say what they do not know', async () => {
    write('a.ts', 'one\ntwo\nthree\n');
    write('ünï "c" d.ts', 'x');
    const first = commit('First\n\nWith a body');
    renameSync(join(folder, 'a.ts'), join(folder, 'b.ts'));
    write('ünï "c" d.ts', 'y');
    const second = commit('Second: a rename');
    git('checkout', '-qb', 'topic', first);
    write('topic.ts', 'topic');
    const topic = commit('Topic');
    git('checkout', '-q', 'main');
    git('merge', '-q', '--no-ff', '-m', 'Merge', 'topic');
    const merge = git('rev-parse', 'HEAD');
    rmSync(join(folder, 'b.ts'));
    const last = commit('Last');

    const history = await readHistory(folder);
    expect(history[0]).toBe(last);
    expect(new Set(history)).toEqual(new Set([first, second, topic, merge, last]));
    const told = { time: '2026-03-01T08:00:00.000Z', author: 'Ada Lovelace' };
    expect(await readCommits(folder, [last, merge, topic, second, first])).toEqual([
      { ...told, hash: last, parents: [merge], subject: 'Last', files: [{ path: 'b.ts', change: 'deleted' }] },
      {
        ...told,
        hash: merge,
        parents: [second, topic],
        subject: 'Merge',
        files: [{ path: 'topic.ts', change: 'added' }],
      },
      { ...told, hash: topic, parents: [first], subject: 'Topic', files: [{ path: 'topic.ts', change: 'added' }] },
      {
        ...told,
        hash: second,
        parents: [first],
        subject: 'Second: a rename',
        files: [
          { path: 'b.ts', change: 'renamed', from: 'a.ts' },
          { path: 'ünï "c" d.ts', change: 'modified' },
        ],
      },
      {
        ...told,
        hash: first,
        parents: [],
        subject: 'First',
        files: [
          { path: 'a.ts', change: 'added' },
          { path: 'ünï "c" d.ts', change: 'added' },
        ],
      },
    ]);

    const shallow = join(top, 'shallow');
    execFileSync('git', ['clone', '-q', '--depth', '2', `file://${folder}`, shallow], { env: ENV });
    const known = await readHistory(shallow);
    expect(known).toContain(merge);
    expect(await readCommits(shallow, [merge]), 'real parents, files unknown').toMatchObject([
      { hash: merge, parents: [second, topic], files: null },
    ]);
    expect(await readCommits(shallow, [last])).toMatchObject([{ files: [{ path: 'b.ts', change: 'deleted' }] }]);
  });

  it('are none where there is no repository', async () => {
    expect(await readHistory(top)).toEqual([]);
    expect(await readCommits(top, ['a'.repeat(40)])).toEqual([]);
  });
});

it('a commit of very many files tells the first and counts the others', () => {
  const files = Array.from({ length: 1_005 }, (_, nth) => `\0A\0file-${nth}`).join('');
  const [commit] = parseLog(`${'a'.repeat(40)}\n\n99999999999999\nAda\nAll at once${files}\0`);
  expect(commit).toMatchObject({ parents: [], time: '9999-12-31T23:59:59.000Z', moreFiles: 5 });
  expect(commit!.files).toHaveLength(1_000);
});
