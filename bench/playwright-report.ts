import { spawnSync } from 'node:child_process';
import { createWriteStream, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

const TESTS = 60;

const CONFIG = `export default {
  testDir: '.',
  outputDir: 'results',
  reporter: [['html', { outputFolder: 'report', open: 'never' }]],
  use: { trace: 'on' },
};
`;

const SPEC = `import { expect, test } from '@playwright/test';
import { randomBytes } from 'node:crypto';

for (let n = 0; n < ${TESTS}; n++) {
  test('test ' + n, async ({}, testInfo) => {
    await test.step('prepare', async () => {});
    await testInfo.attach('picture', { body: randomBytes(40_000), contentType: 'image/png' });
    await testInfo.attach('log', { body: 'line of a log\\n'.repeat(500), contentType: 'text/plain' });
    if (n % 10 === 0) expect(n).toBe(-1);
  });
}
`;

/** An HTML report by Playwright itself, of tests that need no browser; returns its folder. */
export const makePlaywrightReport = (root: string, workDir: string): string => {
  const project = join(workDir, 'report-project');
  rmSync(project, { recursive: true, force: true });
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'playwright.config.ts'), CONFIG);
  writeFileSync(join(project, 'some.spec.ts'), SPEC);
  // It ends with 1, for some tests fail.
  spawnSync(join(root, 'node_modules/.bin/playwright'), ['test'], { cwd: project, stdio: 'ignore' });
  return join(project, 'report');
};

export const zipFolder = async (folder: string, into: string): Promise<void> => {
  const zip = new ZipFile();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) zip.addFile(path, relative(folder, path));
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(into));
};
