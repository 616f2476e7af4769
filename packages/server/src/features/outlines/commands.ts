import type { Queries } from '../../db/database.ts';
import { transactionCommand } from '../../writer/command.ts';
import type { OutlinesFound } from './find-outlines.ts';

/** No answer changes by them, so that no project gets a new revision. */
const storeOutlines = async (
  transaction: Queries,
  { packs, empty }: Pick<OutlinesFound, 'packs' | 'empty'>,
): Promise<null> => {
  for (const { project_id, span } of empty) {
    await transaction
      .deleteFrom('run_outlines')
      .where('project_id', '=', project_id)
      .where('span', '=', span)
      .execute();
  }
  const projects = await transaction
    .selectFrom('projects')
    .select('id')
    .where(
      'id',
      'in',
      packs.map(({ project_id }) => project_id),
    )
    .execute();
  const present = new Set(projects.map(({ id }) => id));
  for (const pack of packs) {
    // Its project may have been deleted since its runs were read.
    if (!present.has(pack.project_id)) continue;
    const { project_id: _project, span: _span, ...changed } = pack;
    await transaction
      .insertInto('run_outlines')
      .values(pack)
      .onConflict((conflict) => conflict.columns(['project_id', 'span']).doUpdateSet(changed))
      .execute();
  }
  return null;
};

export const outlineCommands = {
  storeOutlines: transactionCommand('storeOutlines', storeOutlines),
};
