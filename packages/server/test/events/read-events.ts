import type { TestServer } from '../server.ts';

export interface SeenEvent {
  readonly event: string;
  readonly data: unknown;
}

export interface EventReader {
  readonly response: Response;
  /** The next event, comments left out; null when the stream has ended. */
  next(): Promise<SeenEvent | null>;
  close(): void;
}

export const openEvents = async (server: TestServer): Promise<EventReader> => {
  const aborter = new AbortController();
  const response = await fetch(`${server.url}/api/events`, { signal: aborter.signal });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async (): Promise<SeenEvent | null> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end < 0) {
        const { done, value } = await reader.read();
        if (done) return null;
        text += value;
        continue;
      }
      const fields = new Map(
        text
          .slice(0, end)
          .split('\n')
          .map((line): [string, string] => {
            const [name = '', ...rest] = line.split(': ');
            return [name, rest.join(': ')];
          }),
      );
      text = text.slice(end + 2);
      if (fields.has('event')) return { event: fields.get('event')!, data: JSON.parse(fields.get('data')!) };
    }
  };
  return { response, next, close: () => aborter.abort() };
};

/** The next event of a project: what was done to others before may be told late. */
export const nextOf = async (events: EventReader, projectId: number): Promise<SeenEvent> => {
  for (;;) {
    const seen = await events.next();
    if (seen === null) throw new Error('The stream has ended');
    if ((seen.data as { projectId: number }).projectId === projectId) return seen;
  }
};
