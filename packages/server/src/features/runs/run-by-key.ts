import type { Queries } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { type KnownKey, findKeys, keysOf } from '../parts/run-keys.ts';

export const getRunByKey = async (queries: Queries, projectName: string, runKey: string): Promise<KnownKey> => {
  const [found] = await findKeys(queries, projectName.trim(), keysOf(runKey, null));
  if (!found) throw new AppError('run_not_found', `No run of ${projectName} has the key ${runKey}`);
  return found;
};
