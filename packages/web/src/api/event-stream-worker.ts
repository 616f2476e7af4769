import { type StreamMessage, createEventStream } from './event-stream.ts';

/** The SharedWorker that holds the one event stream of a browser, while any of its tabs is visible. */

const listeners = new Set<MessagePort>();
let state: StreamMessage | null = null;

const stream = createEventStream((message) => {
  if (message.type !== 'run' && message.type !== 'project') state = message;
  for (const listener of listeners) listener.postMessage(message);
});

const add = (port: MessagePort): void => {
  listeners.add(port);
  if (state !== null) port.postMessage(state);
  stream.open();
};

const remove = (port: MessagePort): void => {
  listeners.delete(port);
  if (listeners.size > 0) return;
  stream.close();
  state = null;
};

globalThis.addEventListener('connect', (event) => {
  const port = (event as MessageEvent).ports[0]!;
  port.addEventListener('message', ({ data }: MessageEvent<'open' | 'close'>) => {
    if (data === 'open') add(port);
    else remove(port);
  });
  // A tab that crashed; browsers without this event keep the stream until the last tab goes.
  port.addEventListener('close', () => remove(port));
  port.start();
});
