import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../errors.ts';

/** N = 2^cost; one hash takes 1 KiB × N of memory. */
export const DEFAULT_PASSWORD_COST = 17;

const BLOCK_SIZE = 8;
const PARALLEL = 1;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const AT_ONCE = 2;
const MAX_WAITING = 64;

/** Hashes and checks passwords off the main thread, a few at a time: each takes much memory, which is the point. */
export interface Passwords {
  /** Throws when so many wait that no more may come. */
  requireRoom(): void;
  hash(password: string): Promise<string>;
  /** Without a hash, for a user who does not exist, it takes as long and fails. */
  verify(password: string, hash: string | null): Promise<boolean>;
  /** Whether a hash was made with less effort than hashes are made with today. */
  isWeak(hash: string): boolean;
}

interface Parameters {
  readonly cost: number;
  readonly blockSize: number;
  readonly parallel: number;
  readonly salt: Buffer;
  readonly key: Buffer;
}

export const createPasswords = (cost: number): Passwords => {
  const { requireRoom, inTurn } = createTurns(AT_ONCE, MAX_WAITING);
  const derive = (password: string, parameters: Omit<Parameters, 'key'>): Promise<Buffer> =>
    inTurn(() => deriveKey(password, parameters));
  const dummy: Parameters = {
    cost,
    blockSize: BLOCK_SIZE,
    parallel: PARALLEL,
    salt: randomBytes(SALT_BYTES),
    key: randomBytes(KEY_BYTES),
  };
  return {
    requireRoom,
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const key = await derive(password, { ...dummy, salt });
      return format({ ...dummy, salt, key });
    },
    async verify(password, hash) {
      const parameters = hash === null ? dummy : parse(hash);
      const matches = timingSafeEqual(await derive(password, parameters), parameters.key);
      return matches && hash !== null && password.isWellFormed();
    },
    isWeak: (hash) => parse(hash).cost < cost,
  };
};

const deriveKey = (password: string, { cost, blockSize, parallel, salt }: Omit<Parameters, 'key'>): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const N = 2 ** cost;
    // Twice what it needs: the limit is there to catch mistakes.
    const options = { N, r: blockSize, p: parallel, maxmem: 256 * N * blockSize };
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });

const format = ({ cost, blockSize, parallel, salt, key }: Parameters): string =>
  ['scrypt', cost, blockSize, parallel, salt.toString('base64url'), key.toString('base64url')].join('$');

const parse = (hash: string): Parameters => {
  const [, cost, blockSize, parallel, salt, key] = hash.split('$');
  return {
    cost: Number(cost),
    blockSize: Number(blockSize),
    parallel: Number(parallel),
    salt: Buffer.from(salt!, 'base64url'),
    key: Buffer.from(key!, 'base64url'),
  };
};

const createTurns = (atOnce: number, maxWaiting: number) => {
  let running = 0;
  const waiting: (() => void)[] = [];
  const requireRoom = (): void => {
    if (waiting.length < maxWaiting) return;
    throw new AppError('unavailable', 'Too many passwords to check at once; try again shortly');
  };
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      requireRoom();
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
  return { requireRoom, inTurn };
};
