import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@assay/testkit';
import type { OwnDatabase } from '@assay/testkit/postgres';
import { SECRET } from '../accounts/people.ts';
import { createMigrated } from '../migrated-database.ts';
import { type StartedService, newFolder, startServiceProcess } from '../robustness/service-process.ts';
import { startTestS3 } from '../s3/s3-server.ts';
import { startCutProxy } from './cut-proxy.ts';
import { startLoadBalancer } from './load-balancer.ts';

/** Replicas behind a load balancer, over one PostgreSQL and one S3 server, to which bad things happen. */
export interface ChurnedReplicas extends AsyncDisposable {
  readonly url: string;
  readonly database: OwnDatabase;
  replicas(): readonly StartedService[];
  /** One thing of those that happen to machines and networks. */
  disturb(draw: Random): Promise<void>;
  /** Kills all of them, and starts one anew after something was done. */
  restartOne(whileStopped: () => Promise<void>): Promise<void>;
}

export const startChurnedReplicas = async (count: number): Promise<ChurnedReplicas> => {
  await using started = new AsyncDisposableStack();
  const folder = started.use(newFolder());
  const database = started.use(await createMigrated());
  const proxy = started.use(await startCutProxy(database.url));
  const balancer = started.use(await startLoadBalancer());
  const s3 = await startTestS3();
  started.defer(() => s3.stop());
  const { bucket, prefix, endpoint, credentials } = s3.newLocation();
  const settings = {
    SERVICE_DATABASE_URL: proxy.url,
    SERVICE_FILES_URL: `s3://${bucket}/${encodeURI(prefix)}?endpoint=${encodeURIComponent(endpoint!)}`,
    AWS_ACCESS_KEY_ID: credentials!.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials!.secretAccessKey,
    SERVICE_AUTH_ENABLED: 'true',
    SERVICE_AUTH_SECRET: SECRET,
    SERVICE_LOG_LEVEL: 'info',
  };
  const replicas: StartedService[] = [];
  started.defer(async () => {
    await Promise.all(replicas.map((replica) => replica[Symbol.asyncDispose]()));
  });
  const start = async (at: number): Promise<void> => {
    replicas[at] = await startServiceProcess(join(folder.path, String(at)), settings);
    balancer.ports = replicas.map(({ port }) => port);
  };
  const all = Array.from({ length: count }, (_, at) => at);
  await Promise.all(all.map(start));

  const end = async (at: number, signal: NodeJS.Signals): Promise<void> => {
    replicas[at]!.signal(signal);
    await replicas[at]!.exited;
  };
  const disturbances: readonly ((draw: Random) => Promise<void>)[] = [
    async (draw) => {
      const at = draw.integer(0, count - 1);
      await end(at, 'SIGKILL');
      await start(at);
    },
    async (draw) => {
      const at = draw.integer(0, count - 1);
      await end(at, 'SIGTERM');
      await start(at);
    },
    async (draw) => {
      proxy.cut();
      await delay(draw.integer(0, 50));
      proxy.mend();
    },
    async (draw) => {
      proxy.cutAt = { text: 'COMMIT', when: draw.pick(['before', 'after']), times: draw.integer(1, 3) };
    },
    async () => balancer.cut(),
  ];
  const owned = started.move();
  return {
    url: balancer.url,
    database,
    replicas: () => replicas,
    disturb: (draw) => draw.pick(disturbances)(draw),
    async restartOne(whileStopped) {
      await Promise.all(all.map((at) => end(at, 'SIGKILL')));
      proxy.cutAt = null;
      await whileStopped();
      replicas.length = 0;
      await start(0);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
