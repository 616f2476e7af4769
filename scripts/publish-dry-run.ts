import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Where nobody answers: nothing is asked of a registry. */
export const NO_REGISTRY = 'http://127.0.0.1:9/';

/** What `npm publish` would publish of a package, or of the workspaces of a folder, and what it would correct in manifests. */
export const publishDryRun = async (
  dist: string,
  which: '.' | '--workspaces' = '.',
): Promise<{ files: string[]; corrections: string[] }> => {
  const args = ['publish', which, '--dry-run', '--json', '--loglevel=warn', '--fetch-retries=0'];
  const { stdout, stderr } = await promisify(execFile)('npm', [...args, `--registry=${NO_REGISTRY}`], { cwd: dist });
  const published = Object.values(JSON.parse(stdout) as Record<string, { files: { path: string }[] }>);
  const said = stderr.split('\n').filter((line) => /publish (?!This command requires you to be logged in)/.test(line));
  return { files: published.flatMap(({ files }) => files.map(({ path }) => path)), corrections: said };
};
