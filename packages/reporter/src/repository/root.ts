import type { Options } from '../options/options.ts';
import type { Output } from '../output.ts';
import { findRepository } from './paths.ts';

/** The folder that files are told relative to, so that a test has the same file on every machine. */
export const rootOf = (folder: string, { rootDir }: Pick<Options, 'rootDir'>, output: Output): string => {
  const root = rootDir ?? findRepository(folder);
  if (root !== null) return root;
  output.say(
    `Assay: ${folder} is not in a repository: set rootDir or ASSAY_ROOT to the folder that file paths are relative to`,
  );
  return folder;
};
