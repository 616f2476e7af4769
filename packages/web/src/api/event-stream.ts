/** What a page learns from the event stream of the service. */
export type StreamMessage =
  /** The stream is open; `data` is the service's `hello`. */
  | { readonly type: 'hello'; readonly data: string }
  | { readonly type: 'run' | 'project'; readonly data: string }
  /** The connection broke; the browser reconnects by itself. */
  | { readonly type: 'lost' }
  /** The service, or a proxy, refuses the stream; it is requested again after a pause. */
  | { readonly type: 'refused' };

export interface EventStream {
  /** Subscribes; the current state of the stream is reported first. */
  open(): void;
  /** Unsubscribes, and disconnects when nobody else listens. */
  close(): void;
}

const RETRY_REFUSED_MS = 10_000;

/** A connection to the service. */
export const createEventStream = (publish: (message: StreamMessage) => void): EventStream => {
  let source: EventSource | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const connect = (): void => {
    retry = undefined;
    const opened = new EventSource('/api/events');
    source = opened;
    for (const type of ['hello', 'run', 'project'] as const) {
      opened.addEventListener(type, ({ data }: MessageEvent<string>) => publish({ type, data }));
    }
    opened.addEventListener('error', () => {
      if (opened.readyState !== EventSource.CLOSED) {
        publish({ type: 'lost' });
        return;
      }
      source = null;
      retry = setTimeout(connect, RETRY_REFUSED_MS);
      publish({ type: 'refused' });
    });
  };

  return {
    open() {
      if (source === null && retry === undefined) connect();
    },
    close() {
      source?.close();
      source = null;
      clearTimeout(retry);
      retry = undefined;
    },
  };
};

/**
 * The stream that all tabs of a browser share: browsers allow six connections per host over HTTP/1.1, so a stream per tab
 * would leave none for the seventh. A leader elected by Web Locks would not do, as those need HTTPS. Chrome on Android has
 * no SharedWorker; there each tab has its own stream, and as hidden tabs close theirs, few are open.
 */
export const openSharedEventStream = (publish: (message: StreamMessage) => void): EventStream => {
  if (typeof SharedWorker === 'undefined') return createEventStream(publish);
  const worker = new SharedWorker(new URL('./event-stream-worker.ts', import.meta.url), { type: 'module' });
  let own: EventStream | null = null;
  let isOpen = false;
  worker.port.addEventListener('message', ({ data }: MessageEvent<StreamMessage>) => {
    if (isOpen) publish(data);
  });
  worker.port.start();
  worker.addEventListener('error', () => {
    own ??= createEventStream(publish);
    if (isOpen) own.open();
  });
  return {
    open() {
      isOpen = true;
      if (own) own.open();
      else worker.port.postMessage('open');
    },
    close() {
      isOpen = false;
      if (own) own.close();
      else worker.port.postMessage('close');
    },
  };
};
