import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** Stands between services and their PostgreSQL, and can do what networks do. */
export interface CutProxy extends AsyncDisposable {
  readonly url: string;
  /** Ends all connections, and refuses new ones as long as it is cut. */
  cut(): void;
  mend(): void;
  /** How many statements services have sent so far. */
  readonly statements: number;
  /** Ends a connection when it sends this: before or after the server has got it. */
  cutAt: { readonly text: string; readonly when: 'before' | 'after'; times: number } | null;
}

export const startCutProxy = async (databaseUrl: string): Promise<CutProxy> => {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  let statements = 0;

  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const database = connect(Number(target.port), target.hostname);
    const end = (): void => {
      client.destroy();
      database.destroy();
      sockets.delete(client);
    };
    sockets.add(client);
    for (const socket of [client, database]) socket.on('error', end).on('close', end);
    let isSilent = false;
    const countStatements = statementCounter();
    client.on('data', (chunk) => {
      statements += countStatements(chunk);
      const at = proxy.cutAt;
      if (at && at.times > 0 && chunk.includes(at.text)) {
        at.times--;
        if (at.when === 'before') return end();
        isSilent = true;
        database.once('data', end);
      }
      database.write(chunk);
    });
    database.on('data', (chunk) => isSilent || client.write(chunk));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const proxy: CutProxy = {
    url: url.href,
    cutAt: null,
    get statements() {
      return statements;
    },
    cut() {
      isCut = true;
      endAll();
    },
    mend() {
      isCut = false;
    },
    async [Symbol.asyncDispose]() {
      endAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
};

const HEAD_BYTES = 5;
const [EXECUTE, QUERY] = ['E', 'Q'].map((type) => type.charCodeAt(0));

/** Counts the messages of one connection that have something executed: each has a type and a length, but for the first. */
const statementCounter = (): ((chunk: Buffer) => number) => {
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = true;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    let count = 0;
    for (;;) {
      const lengthAt = isFirst ? 0 : 1;
      if (rest.length < HEAD_BYTES) return count;
      const size = lengthAt + rest.readInt32BE(lengthAt);
      if (rest.length < size) return count;
      if (!isFirst && (rest[0] === EXECUTE || rest[0] === QUERY)) count++;
      rest = rest.subarray(size);
      isFirst = false;
    }
  };
};
