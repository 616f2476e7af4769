import { MAX_NAME_LENGTH, MAX_STATUS_LENGTH, MAX_TAGS, MAX_TEXT_LENGTH, MAX_TITLE_LENGTH } from '@assay/contract';
import { DETAIL_FIELDS } from '../cases/present-case.ts';

/** What a case says of its result. */
export interface PlainCase {
  title: string;
  status: string;
  location: string;
  browser: string | null;
  durationMs: number | null;
  retries: number;
  error: string | null;
  tags: readonly string[];
  /** As the column of that name has it. */
  notRun: readonly string[];
  /** When the test began, in milliseconds since 1970. */
  startMs: number | null;
  lane: number | null;
  failedMs: number | null;
  failedError: string | null;
}

const NOT_PLAIN: ReadonlySet<string> = new Set([
  ...DETAIL_FIELDS,
  'startTime',
  'lane',
  'notRun',
  'browser',
  'suitePath',
  'retry',
  'attempt',
]);
const NONE: readonly string[] = [];

export const emptyCase = (): PlainCase => ({
  title: '',
  status: '',
  location: '',
  browser: null,
  durationMs: null,
  retries: 0,
  error: null,
  tags: NONE,
  notRun: NONE,
  startMs: null,
  lane: null,
  failedMs: null,
  failedError: null,
});

/**
 * Reads a case that has a result, perhaps tags, and no details, as most cases are. It never reads what the schema of
 * the contract refuses; what it leaves, the schema decides. Going through the fields that are there costs much less
 * than asking for all the fields of the contract.
 */
export const readPlainCase = (given: unknown, into: PlainCase): boolean => {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return false;
  into.title = '';
  into.status = '';
  into.location = '';
  into.browser = null;
  into.durationMs = null;
  into.retries = 0;
  into.error = null;
  into.tags = NONE;
  into.notRun = NONE;
  into.startMs = null;
  into.lane = null;
  into.failedMs = null;
  into.failedError = null;
  const fields = given as Record<string, unknown>;
  // An object that came from JSON has no inherited fields to skip.
  // oxlint-disable-next-line guard-for-in
  for (const name in fields) {
    const value = fields[name];
    switch (name) {
      case 'title':
        if (!isText(value, MAX_TITLE_LENGTH)) return false;
        into.title = value;
        break;
      case 'status':
        if (!isText(value, MAX_STATUS_LENGTH)) return false;
        into.status = value;
        break;
      case 'location':
        if (!isText(value, MAX_TEXT_LENGTH)) return false;
        into.location = value;
        break;
      case 'duration':
        if (!isAmount(value)) return false;
        into.durationMs = value;
        break;
      case 'retries':
        if (!isAmount(value) || !Number.isInteger(value)) return false;
        into.retries = value;
        break;
      case 'error':
        if (typeof value !== 'string') return false;
        into.error = value;
        break;
      case 'tags':
        if (!Array.isArray(value) || value.length > MAX_TAGS || !value.every((tag) => isText(tag, MAX_NAME_LENGTH)))
          return false;
        into.tags = value;
        break;
      default:
        if (NOT_PLAIN.has(name)) return false;
    }
  }
  return into.title !== '' && into.status !== '';
};

const isText = (value: unknown, max: number): value is string => typeof value === 'string' && value.length <= max;

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
