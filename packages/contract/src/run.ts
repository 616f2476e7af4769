import { type Static, Type } from 'typebox';
import { Id } from './ids.ts';
import { Bytes, Count, Nullable, Time } from './schema.ts';

export const Run = Type.Object(
  {
    id: Id,
    projectId: Id,
    status: Type.String(),
    startTime: Time,
    duration: Nullable(Type.Number()),
    totalTests: Count,
    passedTests: Count,
    failedTests: Count,
    skippedTests: Count,
    flakyTests: Count,
    avgTestDuration: Nullable(Type.Integer()),
    p90TestDuration: Nullable(Type.Number()),
    branch: Nullable(Type.String()),
    commit: Nullable(Type.String()),
    metadata: Type.Unknown({ description: 'As it was submitted; null when it was not' }),
    createdAt: Time,
  },
  { title: 'Run' },
);
export type Run = Static<typeof Run>;

export const Report = Type.Object(
  {
    id: Id,
    type: Type.String(),
    label: Type.String(),
    path: Type.String({ description: 'To be read at `/api/files/`' }),
    size: Bytes,
  },
  { title: 'Report' },
);
export type Report = Static<typeof Report>;
