import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** Gives each connection to the next service in turn; to another one where nobody answers. */
export interface LoadBalancer extends AsyncDisposable {
  readonly url: string;
  /** Where the services listen at the moment. */
  ports: readonly number[];
  /** Ends all connections of clients, whatever they wait for. */
  cut(): void;
}

export const startLoadBalancer = async (): Promise<LoadBalancer> => {
  const sockets = new Set<Socket>();
  let turn = 0;
  const server = createServer({ pauseOnConnect: true }, (client) => {
    sockets.add(client);
    client.on('error', () => client.destroy()).on('close', () => sockets.delete(client));
    const forward = (triesLeft: number): void => {
      const port = balancer.ports[turn++ % balancer.ports.length];
      if (triesLeft === 0 || port === undefined) {
        client.destroy();
        return;
      }
      const service = connect(port, '127.0.0.1');
      let isConnected = false;
      service.once('connect', () => {
        isConnected = true;
        client.pipe(service);
        service.pipe(client);
        client.resume();
      });
      service.on('error', () => (isConnected ? client.destroy() : forward(triesLeft - 1)));
      client.on('close', () => service.destroy());
    };
    forward(balancer.ports.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const balancer: LoadBalancer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ports: [],
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      balancer.cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return balancer;
};
