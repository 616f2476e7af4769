import { endpoints } from '@assay/contract';
import type { Context } from '../../context.ts';
import { type Route, action } from '../../http/endpoint.ts';
import { freeBytesOf } from '../../storage/reserve.ts';
import { actorOf } from '../audit/audit.ts';
import { getProjectRow } from '../projects/queries.ts';
import { retentionCommands } from './commands.ts';
import { forecastStorage } from './forecast.ts';
import { previewRetention } from './preview.ts';
import { completeSettings, presentInstallation, presentOfProject, readInstallationSettings } from './settings.ts';

/** What they answer depends on the time too, or changes with no project, so that no revision names it. */
export const retentionRoutes = ({ queries, writer, retention, config }: Context): Route[] => [
  action(endpoints.getRetention, () => presentInstallation(queries)),
  action(endpoints.setRetention, async ({ body, caller }) => {
    const actor = actorOf(await caller());
    await writer.execute(retentionCommands.setRetention, { projectId: null, settings: completeSettings(body), actor });
    return presentInstallation(queries);
  }),
  action(endpoints.previewRetention, async ({ body, untilGone }) => {
    const projects = await queries
      .selectFrom('projects')
      .selectAll()
      .where('retention', 'is', null)
      .orderBy('id')
      .execute();
    return previewRetention(queries, projects, completeSettings(body), { now: Date.now(), signal: untilGone() });
  }),
  action(endpoints.runRetention, async ({ caller }) => retention.run(actorOf(await caller()))),
  action(endpoints.getProjectRetention, ({ params }) => presentOfProject(queries, params.id)),
  action(endpoints.setProjectRetention, async ({ params, body, caller }) => {
    const settings = body.settings && completeSettings(body.settings);
    const actor = actorOf(await caller());
    await writer.execute(retentionCommands.setRetention, { projectId: params.id, settings, actor });
    return presentOfProject(queries, params.id);
  }),
  action(endpoints.previewProjectRetention, async ({ params, body, untilGone }) => {
    const project = await getProjectRow(queries, params.id);
    const settings = body.settings ? completeSettings(body.settings) : await readInstallationSettings(queries);
    return previewRetention(queries, [project], settings, { now: Date.now(), signal: untilGone() });
  }),
  action(endpoints.getForecast, async () => {
    const isElsewhere = config.databaseUrl !== null && config.s3 !== null;
    const freeBytes = isElsewhere ? null : await freeBytesOf(config.dataDir).catch(() => null);
    return forecastStorage(queries, freeBytes, Date.now());
  }),
];
