/** What the writer needs of a `Worker`. */
export interface WriterThread {
  // What they are called with differs by the event.
  // oxlint-disable-next-line typescript/no-explicit-any
  on(event: 'message' | 'error' | 'exit', listener: (...values: any[]) => void): unknown;
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
}

export interface WriterThreadOptions {
  readonly workerData: unknown;
  readonly resourceLimits: { readonly maxYoungGenerationSizeMb: number };
}

export type StartWriterThread = (file: URL, options: WriterThreadOptions) => WriterThread;
