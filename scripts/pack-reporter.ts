import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { buildReporter } from './build-reporter.ts';

/** By which the service offers it, beside the files of the web interface. */
export const REPORTER_PACKAGE = 'assay-reporter.tgz';

/**
 * Packs the reporter that was built into a folder, as npm installs it. Without the runners that it may work with: npm asks
 * a registry for them, which a closed network may not have.
 */
const packBuilt = async (built: string, file: string): Promise<void> => {
  const manifestFile = join(built, 'package.json');
  const { peerDependencies, peerDependenciesMeta, ...manifest } = JSON.parse(
    readFileSync(manifestFile, 'utf8'),
  ) as Record<string, unknown>;
  writeFileSync(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'assay-pack-'));
  try {
    const args = ['pack', built, '--pack-destination', folder, '--json', '--loglevel', 'error'];
    const { stdout } = await promisify(execFile)('npm', args, { cwd: folder });
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    copyFileSync(join(folder, filename), file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Builds the reporter and packs it. */
export const packReporter = async (file: string): Promise<void> => {
  const built = mkdtempSync(join(tmpdir(), 'assay-reporter-built-'));
  try {
    await packBuilt(dirname(await buildReporter(built, false)), file);
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
};

if (import.meta.main) await packReporter(process.argv[2]!);
