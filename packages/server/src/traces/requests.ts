import { type SubmittedRequest, withoutSecrets } from '@assay/contract';
import { isoTime } from './clock.ts';
import { type Fields, fieldsOf, numberIn, textIn } from './fields.ts';

const MAX_URL_LENGTH = 4_000;
const MAX_WORD_LENGTH = 40;
const MAX_TIME_LENGTH = 64;
const MAX_STATUS = 999;

const TYPE_OF_MIME: readonly (readonly [RegExp, string])[] = [
  [/^text\/html|^application\/xhtml/, 'document'],
  [/^text\/css/, 'stylesheet'],
  [/javascript|ecmascript/, 'script'],
  [/^image\//, 'image'],
  [/^font\/|font-/, 'font'],
  [/^(?:audio|video)\//, 'media'],
  [/json|xml|graphql|grpc/, 'fetch'],
];

const TYPE_OF_FILE: readonly (readonly [RegExp, string])[] = [
  [/\.html?$/i, 'document'],
  [/\.css$/i, 'stylesheet'],
  [/\.[cm]?js$/i, 'script'],
  [/\.(?:avif|bmp|gif|ico|jpe?g|png|svg|webp)$/i, 'image'],
  [/\.(?:eot|otf|ttf|woff2?)$/i, 'font'],
  [/\.(?:m4a|mp3|mp4|ogg|wav|webm)$/i, 'media'],
  [/\.json$/i, 'fetch'],
];

/** From a HAR entry; of its headers, cookies and bodies nothing is taken. */
export const requestOf = (event: Fields): SubmittedRequest | null => {
  const entry = fieldsOf(event['snapshot']);
  const request = fieldsOf(entry['request']);
  const address = textIn(request, 'url', MAX_URL_LENGTH);
  if (address === null || /^(?:data|blob):/i.test(address)) return null;
  const url = withoutSecrets(address);
  const response = fieldsOf(entry['response']);
  const startedAt = Date.parse(textIn(entry, 'startedDateTime', MAX_TIME_LENGTH) ?? '');
  return {
    method: textIn(request, 'method', MAX_WORD_LENGTH) ?? 'GET',
    url,
    status: statusOf(response),
    duration: durationOf(entry),
    resourceType: textIn(entry, '_resourceType', MAX_WORD_LENGTH) ?? guessType(response, url),
    startTime: isoTime(startedAt),
  };
};

/** A request without an answer has −1 in a trace, and 0 with us. */
const statusOf = (response: Fields): number | null => {
  const status = numberIn(response, 'status');
  if (status === null || !Number.isInteger(status) || status > MAX_STATUS) return null;
  return Math.max(status, 0);
};

const durationOf = (entry: Fields): number | null => {
  const duration = numberIn(entry, 'time');
  return duration !== null && duration >= 0 && duration <= Number.MAX_SAFE_INTEGER ? duration : null;
};

const guessType = (response: Fields, url: string): string => {
  const mimeType = textIn(fieldsOf(response['content']), 'mimeType', MAX_WORD_LENGTH)?.toLowerCase() ?? '';
  const byMime = TYPE_OF_MIME.find(([pattern]) => pattern.test(mimeType));
  return (byMime ?? TYPE_OF_FILE.find(([pattern]) => pattern.test(url)))?.[1] ?? 'other';
};
