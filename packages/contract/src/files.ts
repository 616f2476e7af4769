import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';

export const fileEndpoints = {
  getFile: endpoint({
    method: 'GET',
    path: '/api/files/{path*}',
    access: 'public',
    group: 'Files',
    summary: 'A stored report asset or trace',
    params: Type.Object({ path: Type.String() }),
    reply: Type.Unknown(),
    replyType: 'application/octet-stream',
    errors: ['file_not_found'],
  }),
};
