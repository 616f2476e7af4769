import { expect, it } from 'vitest';
import { newFolder } from '../robustness/service-process.ts';
import { startTestServer, type TestServer } from '../server.ts';
import type { Config } from '../tested-service.ts';
import { zipOf } from './archives.ts';
import { beside, file, filePath, rawRequest, textFields, upload } from './form.ts';

const WITH_SECRET: Partial<Config> = { authSecrets: ['a secret of the operator: 0123456789'] };

const uploadReport = async (server: TestServer): Promise<string> => {
  const report = await zipOf({ 'index.html': '<!doctype html><head></head><title>R</title>', 'data.json': '{}' });
  return (await upload(server, [...textFields(), file('report_html', report)])).reportPath!;
};

interface Page {
  readonly key: string;
  readonly etag: string;
}

/** The key that a page of a report is given for the other files of its report. */
const openPage = async (server: TestServer, entry: string): Promise<Page> => {
  const { body, headers } = await rawRequest(server, filePath(entry));
  const key = /["'](?<key>[\w-]{22})["']/.exec(String(body))?.groups?.['key'];
  expect(key).toBeDefined();
  return { key: key!, etag: headers.etag! };
};

const isReadable = async (server: TestServer, entry: string, key: string): Promise<boolean> => {
  const { status, headers } = await rawRequest(server, `${filePath(beside(entry, 'data.json'))}?report-key=${key}`, {
    origin: 'null',
  });
  expect(status).toBe(200);
  return headers['access-control-allow-origin'] === 'null';
};

it('a page of a report that was opened before a restart reads its files after it, by the secret', async () => {
  using folder = newFolder();
  let entry: string;
  let before: Page;
  {
    await using server = await startTestServer({ dataDir: folder.path, ...WITH_SECRET });
    entry = await uploadReport(server);
    before = await openPage(server, entry);
    expect(await isReadable(server, entry, before.key)).toBe(true);
  }
  {
    await using server = await startTestServer({ dataDir: folder.path, ...WITH_SECRET });
    expect(await openPage(server, entry)).toEqual(before);
    expect(await isReadable(server, entry, before.key)).toBe(true);
    const other = await uploadReport(server);
    expect(await isReadable(server, other, before.key)).toBe(false);
  }
  await using server = await startTestServer({
    dataDir: folder.path,
    authSecrets: ['another secret: 0123456789abcdef'],
  });
  expect(await isReadable(server, entry, before.key)).toBe(false);
  expect((await openPage(server, entry)).etag).not.toBe(before.etag);
});

it('without a secret the key is new at every start, and so is the page', async () => {
  using folder = newFolder();
  await using first = await startTestServer({ dataDir: folder.path });
  const entry = await uploadReport(first);
  const before = await openPage(first, entry);
  await first.stop();
  await using second = await startTestServer({ dataDir: folder.path });
  expect(await isReadable(second, entry, before.key)).toBe(false);
  expect((await openPage(second, entry)).etag).not.toBe(before.etag);
});
