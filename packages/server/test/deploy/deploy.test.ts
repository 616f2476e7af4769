import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { newFolder } from '../robustness/service-process.ts';
import { startTestServer } from '../server.ts';
import { readConfig } from '../tested-service.ts';
import { readChart, renderChart } from './render-chart.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const CHART = join(ROOT, 'deploy/helm/assay');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { version } = JSON.parse(read('packages/server/package.json')) as { version: string };

/** For the database to be closed, after all clients are gone. */
const CLOSING_SECONDS = 5;

type Environment = Readonly<Record<string, string>>;

/** The arguments of the instructions, those of the last stage alone. */
const image = (() => {
  const instructions = read('deploy/Dockerfile')
    .replaceAll('\\\n', '')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line))
    .map((line) => /^(\w+) (.*)$/.exec(line)!.slice(1) as [string, string]);
  const last = instructions.slice(instructions.findLastIndex(([name]) => name === 'FROM'));
  const the = (name: string): string => last.find(([one]) => one === name)![1];
  return {
    from: instructions.filter(([name]) => name === 'FROM').map(([, given]) => given),
    env: Object.fromEntries(
      the('ENV')
        .split(' ')
        .map((pair) => pair.split('=')),
    ) as Environment,
    user: Number(the('USER').split(':')[0]),
    volume: the('VOLUME'),
    port: Number(the('EXPOSE')),
    entrypoint: JSON.parse(the('ENTRYPOINT')) as string[],
    healthCheck: JSON.parse(/ CMD (.*)$/.exec(the('HEALTHCHECK'))![1]!) as string[],
  };
})();

/** As the service in a container reads it, with its secrets in a folder of this machine. */
const configOf = (env: Environment, secretsIn: string, folder: string) =>
  readConfig({
    ...image.env,
    ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replace(secretsIn, folder)])),
  });

describe('the image', () => {
  it('has the Node of package.json and runs the bundle, as nobody in particular', () => {
    const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: { node: string } };
    expect(image.from[0]).toBe(`node:${devDependencies.node}-bookworm-slim AS build`);
    expect(image.entrypoint).toEqual(['/usr/local/bin/node', '/app/main.js']);
    expect(image.user).toBeGreaterThan(0);
    expect(readConfig(image.env)).toMatchObject({ host: '0.0.0.0', port: image.port, dataDir: image.volume });
  });

  it('gets all files that its build needs', () => {
    const [ignored, ...kept] = read('.dockerignore').split('\n').filter(Boolean);
    expect(ignored).toBe('*');
    for (const name of kept.flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))) {
      expect(globSync(name, { cwd: ROOT }), name).toEqual([name]);
    }
    const left = kept.filter((line) => !line.startsWith('!'));
    const sources = globSync('packages/*/src/**', { cwd: ROOT });
    for (const pattern of left) expect(sources.filter((path) => matchesGlob(path, pattern))).toEqual([]);
  });

  it('has a health check that tells a service that is ready from one that is not', async () => {
    await using server = await startTestServer();
    const [, ...args] = image.healthCheck;
    const check = (port: string): Promise<number | null> =>
      new Promise((resolve) => {
        spawn(process.execPath, args, { env: { PORT: port }, stdio: 'ignore' }).once('exit', resolve);
      });
    expect(await check(new URL(server.url).port)).toBe(0);
    await server.stop();
    expect(await check(new URL(server.url).port)).toBe(1);
  });
});

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly secrets: Readonly<Record<string, { file: string }>>;
  readonly volumes: object;
}

interface ComposeService {
  readonly image: string;
  readonly environment?: Environment;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly command?: readonly string[];
  readonly healthcheck?: object;
  readonly depends_on?: Readonly<Record<string, { condition: string }>>;
  readonly deploy?: { replicas: number };
  readonly stop_grace_period?: string;
}

describe('compose.yaml', () => {
  const { services, secrets, volumes } = parse(read('deploy/compose.yaml')) as Compose;
  const { assay, postgres, s3, bucket, 'load-balancer': balancer } = services as Record<string, ComposeService>;

  it('gives the replicas settings that lead to its database and bucket, with the secrets of make-secrets.sh', () => {
    using folder = newFolder();
    const made = join(folder.path, 'secrets');
    execFileSync(join(ROOT, 'deploy/make-secrets.sh'), [made]);
    const secret = (name: string): string => readFileSync(join(made, name), 'utf8');
    const config = configOf(assay!.environment!, '/run/secrets', made);
    expect(config.databaseUrl).toBe(`postgres://assay:${secret('database-password')}@postgres:5432/assay`);
    expect(postgres!.environment).toMatchObject({ POSTGRES_USER: 'assay', POSTGRES_DB: 'assay' });
    const credentials = { accessKeyId: secret('s3-access-key-id'), secretAccessKey: secret('s3-secret-access-key') };
    expect(config.s3).toMatchObject({ bucket: 'assay', endpoint: 'http://s3:9000', credentials });
    expect(bucket!.command!.join('')).toMatch(/alias set s3 http:\/\/s3:9000 [^]* s3\/assay$/m);
    expect(config).toMatchObject({ authEnabled: true, authSecrets: [secret('auth-secret')], dataDir: image.volume });
    expect(assay!.volumes).toEqual([config.dataDir]);
    expect(parseInt(assay!.stop_grace_period!, 10) * 1000).toBeGreaterThan(
      config.drainMs + config.stopMs + CLOSING_SECONDS * 1000,
    );
    expect(config.publicUrl).toBe(`http://localhost:${balancer!.ports![0]!.split(':')[1]}`);
    expect(statSync(made).mode & 0o777).toBe(0o700);
    expect(spawnSync(join(ROOT, 'deploy/make-secrets.sh'), [made]).status, 'made once').toBe(1);
  });

  it('names only services, secrets and volumes that there are', () => {
    for (const [name, service] of Object.entries(services)) {
      const ofFiles = Object.values(service.environment ?? {}).flatMap(
        (value) => /^\/run\/secrets\/(.*)$/.exec(value)?.[1] ?? [],
      );
      expect(service.secrets ?? [], name).toEqual(expect.arrayContaining(ofFiles));
      for (const secret of service.secrets ?? []) expect(secrets[secret]).toEqual({ file: `./secrets/${secret}` });
      for (const volume of service.volumes ?? []) {
        const [from] = volume.split(':') as [string];
        if (/^\w/.test(from)) expect(Object.keys(volumes)).toContain(from);
        if (from.startsWith('./')) expect(() => read(`deploy/${from}`)).not.toThrow();
      }
      for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
        expect(Object.keys(services)).toContain(other);
        // The image of Assay has a check of its own.
        if (condition === 'service_healthy' && other !== 'assay') expect(services[other]).toHaveProperty('healthcheck');
      }
    }
    expect(assay!.image).toBe(`assay:${version}`);
    expect(s3!.healthcheck).toBeDefined();
  });

  it('has a load balancer for as many replicas as there are, which asks whether they are ready', () => {
    const lines = read('deploy/haproxy.cfg')
      .split('\n')
      .map((line) => line.trim());
    expect(lines).toContain(`server-template assay ${assay!.deploy!.replicas} assay:${image.port}`);
    expect(lines).toContain('option httpchk GET /readyz');
    expect(lines).toContain(`bind :${balancer!.ports![0]!.split(':')[2]}`);
  });
});

interface Deployment {
  readonly spec: {
    readonly replicas: number;
    readonly template: {
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly securityContext: object;
        readonly containers: readonly [Container];
        readonly volumes: readonly object[];
      };
    };
  };
}

interface Container {
  readonly image: string;
  readonly ports: readonly object[];
  readonly env: readonly { name: string; value: string }[];
  readonly volumeMounts: readonly { name: string; mountPath: string }[];
  readonly livenessProbe: object;
  readonly readinessProbe: object;
  readonly securityContext: object;
}

describe('the chart', () => {
  const needed = {
    filesUrl: 's3://assay/production?region=eu-central-1',
    publicUrl: 'https://assay.example.org',
    secrets: {
      databaseUrl: 'postgres://assay:password@db.example.org:5432/assay',
      authSecret: 'x'.repeat(32),
      accessKeyId: 'id',
      secretAccessKey: 'key',
    },
  };
  const deploymentOf = (objects: Readonly<Record<string, unknown>>) => {
    const { spec } = objects['Deployment'] as Deployment;
    const pod = spec.template.spec;
    const [container] = pod.containers;
    return { spec, pod, container, env: Object.fromEntries(container.env.map(({ name, value }) => [name, value])) };
  };

  it('gives the replicas settings that the service takes, with its secrets', () => {
    using folder = newFolder();
    const objects = renderChart(CHART, 'shop', { ...needed, settings: { SERVICE_MAX_UPLOAD_MB: '8192' } });
    const { spec, pod, container, env } = deploymentOf(objects);
    const { stringData } = objects['Secret'] as { stringData: Environment };
    for (const [name, value] of Object.entries(stringData)) writeFileSync(join(folder.path, name), value);
    const secrets = container.volumeMounts.find(({ name }) => name === 'secrets')!.mountPath;
    const config = configOf(env, secrets, folder.path);
    expect(config).toMatchObject({
      databaseUrl: needed.secrets.databaseUrl,
      s3: { bucket: 'assay', prefix: 'production/', credentials: { accessKeyId: 'id', secretAccessKey: 'key' } },
      authSecrets: [needed.secrets.authSecret],
      publicUrl: needed.publicUrl,
      maxUploadBytes: 8192 * 1024 * 1024,
    });
    expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(
      config.drainMs + config.stopMs + CLOSING_SECONDS * 1000,
    );
    expect(spec.replicas).toBe(3);
    expect(container).toMatchObject({
      image: `assay:${version}`,
      ports: [{ name: 'http', containerPort: image.port }],
      livenessProbe: { httpGet: { path: '/healthz', port: 'http' } },
      readinessProbe: { httpGet: { path: '/readyz', port: 'http' } },
      securityContext: { readOnlyRootFilesystem: true },
      volumeMounts: [{ name: 'data', mountPath: config.dataDir }, { name: 'secrets' }],
    });
    expect(pod).toMatchObject({
      securityContext: { runAsNonRoot: true, runAsUser: image.user, fsGroup: image.user },
      volumes: [{ name: 'data' }, { name: 'secrets', secret: { secretName: 'shop', defaultMode: 0o440 } }],
    });
    expect(Object.keys(objects).sort()).toEqual(['Deployment', 'PodDisruptionBudget', 'Secret', 'Service']);
  });

  it('takes a secret of its operator, a role instead of keys, and has an ingress', () => {
    const { publicUrl, filesUrl } = needed;
    const ingress = { enabled: true, host: 'assay.example.org', tlsSecret: 'tls' };
    const objects = renderChart(CHART, 'shop', {
      publicUrl,
      filesUrl,
      ingress,
      existingSecret: 'mine',
      s3: { useRole: true },
      serviceAccountName: 'assay',
      nodeSelector: { disk: 'ssd' },
    });
    const { env, pod } = deploymentOf(objects);
    expect(Object.keys(env).filter((name) => name.startsWith('AWS'))).toEqual([]);
    expect(pod).toMatchObject({
      serviceAccountName: 'assay',
      nodeSelector: { disk: 'ssd' },
      volumes: [{ name: 'data' }, { secret: { secretName: 'mine' } }],
    });
    expect(objects).not.toHaveProperty('Secret');
    expect(objects['Ingress']).toMatchObject({
      metadata: { annotations: { 'nginx.ingress.kubernetes.io/proxy-body-size': '0' } },
      spec: {
        tls: [{ hosts: ['assay.example.org'], secretName: 'tls' }],
        rules: [{ host: 'assay.example.org', http: { paths: [{ backend: { service: { name: 'shop' } } }] } }],
      },
    });
  });

  it('says what is missing, and has the version of the service', () => {
    expect(() => renderChart(CHART, 'shop', {})).toThrow('filesUrl is needed');
    expect(() => renderChart(CHART, 'shop', { filesUrl: needed.filesUrl })).toThrow('secrets.databaseUrl or existing');
    expect(readChart(CHART).about).toMatchObject({ version, appVersion: version });
  });
});

describe('the unit of systemd', () => {
  const unit = read('deploy/assay.service');

  it('gives the service its state directory and the time to stop', () => {
    const [, given] = /^Environment=(.*)$/m.exec(unit)!;
    const env = Object.fromEntries(given!.split(' ').map((pair) => pair.split('='))) as Environment;
    const [, state] = /^StateDirectory=(.*)$/m.exec(unit)!;
    const config = readConfig({ ...env, SERVICE_DATA_DIR: env['SERVICE_DATA_DIR']!.replace('%S', '/var/lib') });
    expect(config.dataDir).toBe(`/var/lib/${state}`);
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(unit)!;
    expect(Number(seconds) * 1000).toBeGreaterThan(config.stopMs + CLOSING_SECONDS * 1000);
  });

  const hasAnalyzer = spawnSync('systemd-analyze', ['--version']).error === undefined;
  it.skipIf(!hasAnalyzer)('has nothing that systemd-analyze complains of', () => {
    const { stderr, status } = spawnSync('systemd-analyze', ['verify', join(ROOT, 'deploy/assay.service')], {
      encoding: 'utf8',
    });
    expect([status, stderr.split('\n').filter((line) => line.includes('assay.service'))], stderr).toEqual([0, []]);
  });
});

it('every setting that is named in deploy and in documents is one', () => {
  const files = globSync(['README.md', 'ARCHITECTURE.md', 'docs/*.md', 'deploy/**/*.*', 'deploy/Dockerfile'], {
    cwd: ROOT,
  });
  const named = new Set(files.flatMap((file) => read(file).match(/\bSERVICE_[A-Z_]*[A-Z]\b(?!_)/g) ?? []));
  expect(named.size).toBeGreaterThan(20);
  const unknown = [...named].filter((name) => {
    try {
      readConfig({ [name]: '?' });
    } catch (error) {
      return /is not a setting/.test((error as Error).message);
    }
    return false;
  });
  expect(unknown).toEqual([]);
});
