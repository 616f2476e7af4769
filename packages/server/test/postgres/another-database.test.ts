import { createDatabase } from '@assay/testkit/postgres';
import { expect, it } from 'vitest';
import { file, json, runFields, text, textFields, upload } from '../files/form.ts';
import { createMigrated } from '../migrated-database.ts';
import { newFolder } from '../robustness/service-process.ts';
import { startTestServer } from '../server.ts';

it('a service does not start on an empty database beside files of another one', async () => {
  using folder = newFolder();
  const dataDir = folder.path;
  await using first = await createMigrated();
  await using second = await createDatabase();
  const start = (databaseUrl: string) => startTestServer({ dataDir, databaseUrl });
  const server = await start(first.url);
  const [, , cases] = textFields();
  await upload(server, [
    text('projectName', 'shop'),
    json('testRun', runFields({})),
    cases!,
    file('report_html', '<!doctype html><title>Report</title>', 'index.html'),
  ]);
  await server.stop();
  await expect(start(second.url)).rejects.toThrow('is empty, but');
  await (await start(first.url)).stop();
});
