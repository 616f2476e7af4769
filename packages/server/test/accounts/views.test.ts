import type { SavedView } from '@assay/contract';
import { beforeAll, expect, it } from 'vitest';
import { submission } from '../conformance/build.ts';
import { type Accounts, type Person, bodyOf, call, newKey, newPerson, sharedAccounts, post } from './people.ts';

let server: Accounts;
let ann: Person;
let bob: Person;
let reader: Person;
let project: number;
beforeAll(async () => {
  server = await sharedAccounts();
  [ann, bob, reader] = [
    await newPerson(server, 'reporter'),
    await newPerson(server, 'reporter'),
    await newPerson(server, 'user'),
  ];
  const { key } = await newKey(server, ann.id);
  ({ projectId: project } = await bodyOf<{ projectId: number }>(
    post(server, '/api/test-runs/submit', submission(), { key }),
  ));
});

const view = { name: 'Red runs', query: { over: 'runs', filter: 'status:failed', days: 3_000 } };
const save = (who: Person, body: object = {}) =>
  bodyOf<SavedView>(post(server, `/api/projects/${project}/views`, { ...view, ...body }, { cookie: who.cookie }));
const listed = async (cookie?: string) =>
  (await bodyOf<{ views: SavedView[] }>(call(server, `/api/projects/${project}/views`, { cookie }))).views;
const statusOf = async (path: string, cookie?: string, method: 'GET' | 'PUT' | 'DELETE' = 'GET', body?: unknown) =>
  (await call(server, path, { cookie, method, body })).status;

it('that is not shared is its owner’s alone, also for Administrators', async () => {
  const { id, owner, shared, editable } = await save(ann, { name: 'mine' });
  expect({ owner, shared, editable }).toEqual({ owner: ann.username, shared: false, editable: true });
  expect((await listed(ann.cookie)).map(({ name }) => name)).toEqual(['mine']);
  for (const cookie of [undefined, bob.cookie, reader.cookie, server.administrator.cookie]) {
    expect(await listed(cookie)).toEqual([]);
    for (const path of ['', '/rows?format=csv', '/badge.svg']) {
      expect(await statusOf(`/api/views/${id}${path}`, cookie)).toBe(404);
    }
  }
  expect(await statusOf(`/api/views/${id}/rows?format=csv`, ann.cookie)).toBe(200);
  for (const { cookie } of [bob, server.administrator]) {
    expect(await statusOf(`/api/views/${id}`, cookie, 'PUT', { shared: true })).toBe(404);
    expect(await statusOf(`/api/views/${id}`, cookie, 'DELETE')).toBe(404);
  }
  expect(await statusOf(`/api/views/${id}`, ann.cookie, 'DELETE')).toBe(200);
});

it('that is shared is read by all, and changed by its owner and Administrators', async () => {
  const { id } = await save(ann, { shared: true });
  for (const cookie of [undefined, bob.cookie, reader.cookie]) {
    expect((await listed(cookie)).map((one) => [one.id, one.editable])).toEqual([[id, false]]);
    for (const path of ['', '/rows?format=csv', '/badge.svg']) {
      expect(await statusOf(`/api/views/${id}${path}`, cookie)).toBe(200);
    }
  }
  expect(await statusOf(`/api/views/${id}`, bob.cookie, 'PUT', { name: 'his' })).toBe(403);
  expect(await statusOf(`/api/views/${id}`, bob.cookie, 'DELETE')).toBe(403);
  expect(await statusOf(`/api/views/${id}`, server.administrator.cookie, 'PUT', { name: 'ours' })).toBe(200);
  expect(await statusOf(`/api/views/${id}`, ann.cookie, 'PUT', { pinned: true })).toBe(200);
  const entries = await bodyOf<{ action: string; subject: string; username: string }[]>(
    call(server, '/api/admin/audit', { cookie: server.administrator.cookie }),
  );
  const ofView = entries.filter(({ subject }) => subject === `view ${id}`);
  expect(ofView.map(({ action, username }) => [action, username])).toEqual([
    ['view.update', ann.username],
    ['view.update', server.administrator.username],
    ['view.create', ann.username],
  ]);
});

it('stays for the others when its owner is deleted, who leaves no other', async () => {
  const leaver = await newPerson(server, 'reporter');
  const { id } = await save(leaver, { shared: true, name: 'left' });
  const { id: own } = await save(leaver, { name: 'gone' });
  const cookie = server.administrator.cookie;
  expect(await statusOf(`/api/users/${leaver.id}`, cookie, 'DELETE')).toBe(200);
  expect(await bodyOf<SavedView>(call(server, `/api/views/${id}`, { cookie: bob.cookie }))).toMatchObject({
    owner: null,
    editable: true,
  });
  expect(await statusOf(`/api/views/${own}`, cookie)).toBe(404);
});
