import {
  type Column,
  type NamedColumns,
  type Strings,
  allocateColumns,
  decodeBlock,
  encodeBlock,
  nameColumns,
} from './block.ts';
import { REQUEST_COLUMNS, type RowOf, namesOf } from './columns.ts';
import { createDictionary } from './dictionary.ts';

/** One network request of a run: what grouping by method and route needs. */
export type RequestRow = RowOf<typeof REQUEST_COLUMNS>;

export interface Requests extends NamedColumns<typeof REQUEST_COLUMNS> {
  readonly rows: number;
  readonly strings: Strings;
}

export const encodeRequests = (requests: readonly RequestRow[]): Uint8Array => {
  const columns = allocateColumns(namesOf(REQUEST_COLUMNS), requests.length);
  const dictionary = createDictionary();
  requests.forEach((request, row) => {
    columns.caseIndex[row] = request.caseIndex;
    columns.method[row] = dictionary.indexOf(request.method);
    columns.route[row] = dictionary.indexOf(request.route);
    columns.status[row] = request.status ?? NaN;
    columns.durationMs[row] = request.durationMs ?? NaN;
    columns.type[row] = request.type === null ? NaN : dictionary.indexOf(request.type);
  });
  return encodeBlock('requests', REQUEST_COLUMNS, requests.length, columns, dictionary.strings);
};

export const decodeRequests = (bytes: Uint8Array): Requests => {
  const block = decodeBlock('requests', bytes);
  return { ...nameColumns(REQUEST_COLUMNS, block), rows: block.rows, strings: block.strings };
};

export const requestAt = (requests: Requests, row: number): RequestRow => {
  const number = (column: Column): number | null => {
    const value = column.values[row]!;
    return Number.isNaN(value) ? null : value;
  };
  const type = number(requests.type);
  return {
    caseIndex: requests.caseIndex.values[row]!,
    method: requests.strings.at(requests.method.values[row]!),
    route: requests.strings.at(requests.route.values[row]!),
    status: number(requests.status),
    durationMs: number(requests.durationMs),
    type: type === null ? null : requests.strings.at(type),
  };
};
