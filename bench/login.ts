import { type Row, milliseconds, percentile, times } from './figures.ts';
import type { BenchService } from './service.ts';

const USERS = 5;
const ATTEMPTS = 30;

export const LOGIN_SETTINGS = {
  SERVICE_AUTH_ENABLED: 'true',
  SERVICE_AUTH_SECRET: 'a secret that only the bench ever uses',
  SERVICE_TRUST_PROXY: 'true',
};

/** Whether the time of an answer tells that a user exists: wrong passwords beside unknown users, in turns. */
export const loginRows = async ({ url }: BenchService): Promise<Row[]> => {
  const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const setUp = await post('/api/auth/setup', { username: 'admin', password: 'only for the bench', name: 'Bench' });
  const cookie = setUp.headers.get('set-cookie')!.split(';', 1)[0]!;
  for (let n = 0; n < USERS; n++) {
    await post('/api/users', { username: `user-${n}`, password: 'only for the bench', role: 'user' }, { cookie });
  }
  let address = 0;
  const timeOf = async (username: string): Promise<number> => {
    address++;
    const from = { 'x-forwarded-for': `10.0.${address >> 8}.${address & 255}` };
    const start = performance.now();
    const { status } = await post('/api/auth/login', { username, password: 'a wrong password' }, from);
    if (status !== 401) throw new Error(`A wrong password was answered ${status}`);
    return performance.now() - start;
  };
  const known: number[] = [];
  const unknown: number[] = [];
  for (let n = 0; n < ATTEMPTS; n++) {
    known.push(await timeOf(`user-${n % USERS}`));
    unknown.push(await timeOf(`nobody-${n}`));
  }
  const spread = (values: readonly number[]): string =>
    `p50 ${milliseconds(percentile(values, 50))}, p10 to p90 ${milliseconds(percentile(values, 10))} to ${milliseconds(percentile(values, 90))}`;
  return [
    { what: 'A wrong password', measured: spread(known) },
    {
      what: 'A user who does not exist',
      measured: `${spread(unknown)}: ${times(percentile(unknown, 50) / percentile(known, 50))}`,
    },
  ];
};
