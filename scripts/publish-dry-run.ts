import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Where nobody answers: nothing is asked of a registry. */
export const NO_REGISTRY = 'http://127.0.0.1:9/';

/** What `npm publish` would publish of a built package, and the changes that npm would make to its manifest. */
export const publishDryRun = async (dist: string): Promise<{ files: string[]; corrections: string[] }> => {
  const args = ['publish', dist, '--dry-run', '--json', '--loglevel=warn', '--fetch-retries=0'];
  const { stdout, stderr } = await promisify(execFile)('npm', [...args, `--registry=${NO_REGISTRY}`], { cwd: dist });
  const [{ files }] = Object.values(JSON.parse(stdout) as object) as [{ files: { path: string }[] }];
  const said = stderr.split('\n').filter((line) => /publish (?!This command requires you to be logged in)/.test(line));
  return { files: files.map(({ path }) => path), corrections: said };
};
