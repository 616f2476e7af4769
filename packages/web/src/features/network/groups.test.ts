import type { RequestGroup } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { findGroups, nameOf, sortGroups, totalsOf } from './groups.ts';

const group = (method: string, route: string, figures: Partial<RequestGroup> = {}): RequestGroup => ({
  method,
  route,
  count: 1,
  avgDuration: 10,
  maxDuration: 10,
  minDuration: 10,
  p90Duration: 10,
  errorRate: 0,
  testCases: [],
  testCaseIds: [],
  ...figures,
});

const groups = [
  group('GET', '/users/:id', { avgDuration: 50, count: 4, errorRate: 25 }),
  group('POST', '/orders', { avgDuration: null, p90Duration: null }),
  group('GET', '/orders', { avgDuration: 90, p90Duration: 200 }),
];

describe('sortGroups', () => {
  it('begins figures with the largest and texts with the first letter; what has no figure comes last', () => {
    const by = (column: Parameters<typeof sortGroups>[1]['column'], reversed = false): string[] =>
      sortGroups(groups, { column, reversed }).map(nameOf);
    expect(by('average')).toEqual(['GET /orders', 'GET /users/:id', 'POST /orders']);
    expect(by('average', true)).toEqual(['POST /orders', 'GET /users/:id', 'GET /orders']);
    expect(by('route')).toEqual(['GET /orders', 'POST /orders', 'GET /users/:id']);
  });
});

describe('findGroups', () => {
  it('wants every word, in the method or the route', () => {
    expect(findGroups(groups, 'get orders').map(nameOf)).toEqual(['GET /orders']);
    expect(findGroups(groups, ' ')).toBe(groups);
    expect(findGroups(groups, 'delete')).toEqual([]);
  });
});

describe('totalsOf', () => {
  it('adds up', () => {
    expect(totalsOf(groups)).toEqual({ requests: 6, failed: 1, slowestP90: 200 });
    expect(totalsOf([])).toEqual({ requests: 0, failed: 0, slowestP90: 0 });
  });
});
