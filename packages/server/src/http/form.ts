import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { AppError } from '../errors.ts';
import { waitFor } from './stall-timer.ts';

export interface FormPart {
  readonly name: string;
  readonly fileName: string | undefined;
  /** `text/plain` where the part does not say it. */
  readonly contentType: string;
  readonly content: Readable;
}

export interface FormOptions {
  /** Of the whole body, as it really comes. */
  readonly maxBytes: number;
  readonly stallMs: number;
  /** Whether file names keep the folders in them. */
  readonly keepFolders?: boolean;
  /** Called for each part as it begins. It must read the content to its end, or fail. */
  readonly take: (part: FormPart) => Promise<void>;
}

export const MULTIPART = /^multipart\/form-data\b/i;

const MAX_PARTS = 10_000;
/** How long the parser may have nothing to do after the last byte. */
const IDLE_MS = 250;

/** Reads a multipart form as it comes. At the first failure all parts fail, and what is left is read and dropped. */
export const readForm = (
  request: IncomingMessage,
  { maxBytes, stallMs, keepFolders = false, take }: FormOptions,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const parser = openParser(request, keepFolders);
    const running: Promise<void>[] = [];
    const unfinished = new Set<Readable>();
    let size = 0;
    let failure: Error | null = null;

    const fail = (error: Error): void => {
      if (failure) return;
      failure = error;
      stopListening();
      request.unpipe(parser);
      parser.on('error', ignore);
      for (const content of unfinished) content.destroy(error);
      // `boundUnread` bounds what is left.
      request.resume();
      void Promise.all(running).then(() => reject(failure!));
    };
    const count = (chunk: Uint8Array): void => {
      size += chunk.byteLength;
      stallTimer.took(chunk.byteLength);
      if (size > maxBytes) fail(new AppError('body_too_large', `The upload must not have more than ${maxBytes} bytes`));
    };
    const cutOff = (): void => fail(new AppError('invalid_request', 'The request was cut off'));
    const stallTimer = waitFor(request, stallMs, fail);
    const stopListening = (): void => {
      stallTimer.end();
      request.off('data', count).off('end', awaitEnd).off('close', cutOff).off('error', fail);
    };
    /** The parser waits for ever for the content of a part whose head has no end. */
    const awaitEnd = (): void => {
      stopListening();
      let idle = false;
      const watch = setInterval(() => {
        if (idle && unfinished.size === 0) fail(notAForm('a part has no content'));
        idle = unfinished.size === 0;
        if (failure) clearInterval(watch);
      }, IDLE_MS);
      parser.once('finish', () => clearInterval(watch));
    };

    const takePart = async (part: FormPart): Promise<void> => {
      try {
        await take(part);
      } catch (error) {
        part.content.resume();
        fail(error as Error);
      }
      unfinished.delete(part.content);
    };

    parser.on(
      'file',
      (name: string | undefined, content: BusboyFileStream, fileName: string | undefined, _, contentType) => {
        content.on('error', ignore);
        if (name === undefined || failure) {
          content.resume();
          return;
        }
        unfinished.add(content);
        running.push(takePart({ name, fileName, contentType, content }));
      },
    );
    parser.on('partsLimit', () => fail(notAForm(`it has more than ${MAX_PARTS} parts`)));
    parser.on('error', (error: Error) => fail(notAForm(lowerFirst(error.message))));
    parser.on('finish', () => void Promise.all(running).then(() => failure === null && resolve()));
    request.on('data', count).on('end', awaitEnd).on('close', cutOff).on('error', fail);
    request.pipe(parser);
  });

const openParser = ({ headers }: IncomingMessage, preservePath: boolean): BusboyInstance => {
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      // Texts may be large too; every part is read as a stream.
      isPartAFile: () => true,
      preservePath,
      limits: { parts: MAX_PARTS },
    });
  } catch {
    throw notAForm('its content type has no boundary');
  }
};

const notAForm = (reason: string): AppError =>
  new AppError('invalid_body', `The body is not a complete multipart form: ${reason}`, [
    { path: '', message: `must be a complete multipart form: ${reason}` },
  ]);

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const ignore = (): void => undefined;
