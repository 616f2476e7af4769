import type { Attachment } from '@assay/contract';
import { ApiError } from '@assay/contract/request';
import { queryOptions } from '@tanstack/react-query';
import { clampMarks } from '../../format/text.ts';
import { fileUrl, isJson } from './kinds.ts';

/** Of a text that is shown in place; the rest is in the file. */
export const MOST_BYTES = 256_000;

export interface ReadText {
  readonly text: string;
  /** Whether there is more of it in the file. */
  readonly isCut: boolean;
  /** Whether it has bytes that no text has. */
  readonly isBinary: boolean;
}

export const askText = (attachment: Attachment) =>
  queryOptions({
    queryKey: ['text', attachment.path],
    queryFn: ({ signal }) => readText(attachment, signal),
    staleTime: Infinity,
  });

const readText = async (attachment: Attachment, signal: AbortSignal): Promise<ReadText> => {
  if (attachment.size === 0) return { text: '', isCut: false, isBinary: false };
  const range = `bytes=0-${MOST_BYTES - 1}`;
  const reply = await fetch(fileUrl(attachment.path), { headers: { range }, signal });
  if (!reply.ok) throw new ApiError(reply.status, (await reply.json().catch(() => null)) as ApiError['body']);
  return presentText(await readStart(reply), attachment);
};

/** Of a service that gives the whole file, whatever range was asked for, no more is taken either. */
const readStart = async (reply: Response): Promise<Uint8Array> => {
  const bytes = new Uint8Array(MOST_BYTES);
  let length = 0;
  const reader = reply.body!.getReader();
  while (length < MOST_BYTES) {
    const { value } = await reader.read();
    if (!value) return bytes.subarray(0, length);
    bytes.set(value.subarray(0, MOST_BYTES - length), length);
    length = Math.min(MOST_BYTES, length + value.length);
  }
  await reader.cancel();
  return bytes;
};

/** The first bytes of a text as people read it. */
export const presentText = (bytes: Uint8Array, attachment: Attachment): ReadText => {
  const isCut = attachment.size > bytes.length;
  // Of a text that is cut, half a character at its end is left out.
  const text = new TextDecoder().decode(bytes, { stream: isCut });
  const pretty = isJson(attachment) && !isCut ? prettyJson(text) : text;
  return { text: clampMarks(pretty.replaceAll('\r\n', '\n')), isCut, isBinary: text.includes('\0') };
};

const prettyJson = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};
