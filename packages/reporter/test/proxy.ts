import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** Stands between the reporter and the service, passes bytes on, and can do what networks do. */
export interface Proxy {
  readonly url: string;
  /** Called with how many bytes went to the service since this was set. */
  onUp: ((bytes: number) => void) | null;
  /** Called for what the service answers; true keeps it back. */
  onAnswer: (() => boolean) | null;
  /** Answers itself, this often, with this. */
  answers: { times: number; readonly text: string } | null;
  /** How many requests came, as far as connections tell. */
  connections: number;
  [Symbol.asyncDispose](): Promise<void>;
}

export const startProxy = async (serviceUrl: string): Promise<Proxy> => {
  const target = Number(new URL(serviceUrl).port);
  const sockets = new Set<Socket>();
  let up = 0;
  let onUp: Proxy['onUp'] = null;

  const server = createServer((client) => {
    proxy.connections++;
    sockets.add(client);
    client.on('error', () => client.destroy());
    if (proxy.answers && proxy.answers.times > 0) {
      proxy.answers.times--;
      client.end(proxy.answers.text);
      return;
    }
    const service = connect(target, '127.0.0.1');
    sockets.add(service);
    service.on('error', () => client.destroy());
    service.on('close', () => client.destroy());
    client.on('close', () => service.destroy());
    client.on('data', (chunk) => {
      if (!service.write(chunk)) {
        client.pause();
        service.once('drain', () => client.resume());
      }
      up += chunk.length;
      onUp?.(up);
    });
    service.on('data', (chunk) => {
      if (!proxy.onAnswer?.()) client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: Proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get onUp() {
      return onUp;
    },
    set onUp(listener) {
      up = 0;
      onUp = listener;
    },
    onAnswer: null,
    answers: null,
    connections: 0,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
};
