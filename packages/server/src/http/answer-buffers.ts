import { type JsonBytes, startJson } from '../json-bytes.ts';

/** Memory in which large answers are written, used again for the next ones. */
export interface AnswerBuffers {
  take(): JsonBytes;
  /** Once all that was written is sent, or copied. */
  release(json: JsonBytes): void;
}

const FIRST_BYTES = 512 * 1024;
const LARGEST_KEPT_BYTES = 4 * 1024 * 1024;
const MOST_KEPT = 2;

export const createAnswerBuffers = (): AnswerBuffers => {
  const idle: JsonBytes[] = [];
  return {
    take: () => idle.pop() ?? startJson(FIRST_BYTES),
    release(json) {
      if (idle.length >= MOST_KEPT || json.bytes.length > LARGEST_KEPT_BYTES) return;
      json.length = 0;
      idle.push(json);
    },
  };
};
