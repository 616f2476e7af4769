import { type ConsoleMessage, withoutSecrets } from '@assay/contract';
import { cleanText } from './clean-text.ts';
import type { TraceClock } from './clock.ts';
import { type Fields, fieldsOf, numberIn, textIn } from './fields.ts';

const MAX_TEXT_LENGTH = 4_000;
const MAX_LOCATION_LENGTH = 2_000;
const MAX_WORD_LENGTH = 100;

export interface ConsoleLog {
  readonly add: (event: Fields) => void;
  readonly messages: (clock: TraceClock) => ConsoleMessage[];
}

interface Heard {
  readonly message: ConsoleMessage;
  readonly monotonicMs: number | null;
}

/** The errors and warnings of the pages of one trace file, and what was thrown there. */
export const createConsoleLog = (maxMessages: number): ConsoleLog => {
  const heard: Heard[] = [];
  // Up to version 4 a message is an object of its own, and an event names it when it is written.
  const objects = new Map<string, ConsoleMessage>();

  const hear = (message: ConsoleMessage | null | undefined, event: Fields): void => {
    if (message && heard.length < maxMessages) heard.push({ message, monotonicMs: numberIn(event, 'time') });
  };

  const keepObject = (event: Fields): void => {
    const guid = textIn(event, 'guid', MAX_WORD_LENGTH);
    const initializer = fieldsOf(event['initializer']);
    const message = messageOf(initializer, initializer['type']);
    if (guid !== null && message !== null && objects.size < maxMessages) objects.set(guid, message);
  };

  const addPageEvent = (event: Fields): void => {
    const params = fieldsOf(event['params']);
    if (event['method'] === 'pageError') hear(pageErrorOf(params), event);
    if (event['method'] === 'console') {
      hear(objects.get(textIn(fieldsOf(params['message']), 'guid', MAX_WORD_LENGTH) ?? ''), event);
    }
  };

  return {
    add: (event) => {
      if (event['type'] === 'console') hear(messageOf(event, event['messageType']), event);
      if (event['type'] === 'event') addPageEvent(event);
      if (event['type'] === 'object' && event['class'] === 'ConsoleMessage') keepObject(event);
    },
    messages: (clock) =>
      heard.map(({ message, monotonicMs }) => ({ ...message, startTime: clock.timeOf(monotonicMs) })),
  };
};

const messageOf = (fields: Fields, type: unknown): ConsoleMessage | null => {
  if (type !== 'error' && type !== 'warning') return null;
  const text = textIn(fields, 'text', MAX_TEXT_LENGTH) ?? previewOf(fields['args']);
  return { type, text: cleanText(text), location: locationOf(fieldsOf(fields['location'])) };
};

const previewOf = (args: unknown): string =>
  Array.isArray(args)
    ? args
        .slice(0, 10)
        .map((arg) => textIn(fieldsOf(arg), 'preview', MAX_WORD_LENGTH) ?? '')
        .join(' ')
    : '';

const pageErrorOf = (params: Fields): ConsoleMessage => {
  const error = fieldsOf(fieldsOf(params['error'])['error']);
  const name = textIn(error, 'name', MAX_WORD_LENGTH) ?? 'Error';
  const message = textIn(error, 'message', MAX_TEXT_LENGTH) ?? 'something was thrown that is no error';
  return { type: 'error', text: cleanText(`${name}: ${message}`), location: locationOf(fieldsOf(params['location'])) };
};

/** Lines count from 0 in a trace. */
const locationOf = (location: Fields): string | null => {
  const url = textIn(location, 'url', MAX_LOCATION_LENGTH);
  if (url === null) return null;
  const line = numberIn(location, 'lineNumber') ?? numberIn(location, 'line');
  return line === null ? withoutSecrets(url) : `${withoutSecrets(url)}:${line + 1}`;
};
