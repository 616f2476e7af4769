import { formatLocation } from '@assay/contract';
import type { TestRow } from '../db/tables.ts';
import { jsonBytes } from '../json-bytes.ts';

/**
 * What JSON says of a test wherever it is listed, in pieces as long as possible: a row costs as much as it has pieces,
 * however long they are.
 */
export interface TestJson {
  /** `{"id":…,"filePath":…,"title":…,"browser":…,` */
  readonly inList: Uint8Array;
  /** `,"testId":…,"title":…,"status":` */
  readonly nameInCase: Uint8Array;
  /** `,"browser":…,"tags":` */
  readonly browserInCase: Uint8Array;
  readonly file: string;
  /** Kept from the last time: a test seldom moves in its file. */
  place: Place | null;
}

interface Place {
  readonly line: number;
  readonly column: number;
  readonly json: Uint8Array;
}

export const buildTestJson = ({
  id,
  file,
  title,
  browser,
}: Pick<TestRow, 'id' | 'file' | 'title' | 'browser'>): TestJson => {
  const names = { id, filePath: file, title, browser };
  return {
    inList: jsonBytes(`${JSON.stringify(names).slice(0, -1)},`),
    nameInCase: jsonBytes(`,"testId":${id},"title":${JSON.stringify(title)},"status":`),
    browserInCase: jsonBytes(`,"browser":${JSON.stringify(browser)},"tags":`),
    file,
    place: null,
  };
};

/** `,"location":…,"filePath":…,"line":…,"column":…,"error":`, where NaN is no line or no column. */
export const placeInCase = (test: TestJson, line: number, column: number): Uint8Array => {
  const known = test.place;
  if (known && isSame(known.line, line) && isSame(known.column, column)) return known.json;
  const place = { line: nullIfNaN(line), column: nullIfNaN(column) };
  const location = formatLocation({ file: test.file, ...place });
  const fields = JSON.stringify({ location, filePath: test.file, ...place });
  const json = jsonBytes(`,${fields.slice(1, -1)},"error":`);
  test.place = { line, column, json };
  return json;
};

const isSame = (a: number, b: number): boolean => a === b || (a !== a && b !== b);

const nullIfNaN = (value: number): number | null => (value === value ? value : null);
