import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';

export const fileEndpoints = {
  getFile: endpoint({
    method: 'GET',
    path: '/api/files/{path*}',
    access: 'public',
    group: 'Files',
    summary: 'A stored report asset or trace',
    description:
      'Takes `Range` and `If-None-Match`. HTML of a report is sandboxed: it has no access to the session of its reader.',
    params: Type.Object({ path: Type.String() }),
    reply: Type.Unknown(),
    replyType: 'application/octet-stream',
    errors: ['file_not_found', 'range_not_satisfiable'],
  }),
};
