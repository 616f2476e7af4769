import { endpoints } from '@assay/contract';
import type { Context } from '../../context.ts';
import { type Route, read } from '../../http/endpoint.ts';
import { cutPage, readCursor } from '../../http/page.ts';
import { listAudit, presentAudit } from './audit.ts';

const PAGE_SIZE = 100;

export const auditRoutes = ({ queries }: Context): Route[] => [
  read(endpoints.listAudit, {
    async revision() {
      const [latest] = await listAudit(queries, null, 1);
      const oldest = await queries.selectFrom('audit').select('id').orderBy('id').limit(1).executeTakeFirst();
      return `audit${oldest?.id ?? 0}-${latest?.id ?? 0}.${latest?.time ?? 0}`;
    },
    async answer({ query: { limit = PAGE_SIZE, cursor } }) {
      const rows = await listAudit(queries, readCursor(cursor)?.id ?? null, limit + 1);
      const { page, nextCursor } = cutPage(rows, limit, ({ id }) => ({ value: 0, id }));
      return { body: page.map(presentAudit), nextCursor };
    },
  }),
];
