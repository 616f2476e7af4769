import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { shareOf } from '../../memory-share.ts';

const BLOCK_SIZE = 8;
/**
 * Passes, one after the other. With N = 2^15 a hash takes as long as with N = 2^17 and one pass, and a quarter of its
 * memory: 32 MiB.
 */
const PARALLEL = 4;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** Of all hashes that are computed at once; a stored hash that takes more is computed alone. */
const MEMORY_BYTES = shareOf(64 * 1024 * 1024);

/** Hashes and checks passwords off the main thread, as many at a time as their memory allows. */
export interface Passwords {
  /** Throws when so many wait that no more may come. */
  requireRoom(): void;
  hash(password: string): Promise<string>;
  /** Without a hash, for a user who does not exist, it takes as long and fails. */
  verify(password: string, hash: string | null): Promise<boolean>;
  /** Whether a hash was made with less effort, or takes more memory, than hashes that are made today. */
  isOutdated(hash: string): boolean;
}

interface Parameters {
  readonly cost: number;
  readonly blockSize: number;
  readonly parallel: number;
  readonly salt: Buffer;
  readonly key: Buffer;
}

export const createPasswords = ({
  passwordCost: cost,
  mostWaitingPasswords,
}: Pick<Config, 'passwordCost' | 'mostWaitingPasswords'>): Passwords => {
  const { requireRoom, inTurn } = createTurns(MEMORY_BYTES, mostWaitingPasswords);
  const derive = (password: string, parameters: Omit<Parameters, 'key'>): Promise<Buffer> =>
    inTurn(memoryOf(parameters), () => deriveKey(password, parameters));
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
    isOutdated(hash) {
      const parameters = parse(hash);
      return effortOf(parameters) < effortOf(dummy) || memoryOf(parameters) > memoryOf(dummy);
    },
  };
};

type Effort = Pick<Parameters, 'cost' | 'blockSize' | 'parallel'>;

const memoryOf = ({ cost, blockSize }: Effort): number => 128 * 2 ** cost * blockSize;
const effortOf = (effort: Effort): number => memoryOf(effort) * effort.parallel;

const deriveKey = (password: string, { cost, blockSize, parallel, salt }: Omit<Parameters, 'key'>): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // Twice what it needs: the limit is there to catch mistakes.
    const maxmem = 2 * memoryOf({ cost, blockSize, parallel });
    const options = { N: 2 ** cost, r: blockSize, p: parallel, maxmem };
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

const createTurns = (maxBytes: number, maxWaiting: number) => {
  let runningBytes = 0;
  const waiting: { readonly bytes: number; readonly start: () => void }[] = [];
  const requireRoom = (): void => {
    if (waiting.length < maxWaiting) return;
    throw new AppError('unavailable', 'Too many passwords to check at once; try again shortly');
  };
  const startNext = (): void => {
    const [next] = waiting;
    if (!next || (runningBytes > 0 && runningBytes + next.bytes > maxBytes)) return;
    waiting.shift();
    runningBytes += next.bytes;
    next.start();
    startNext();
  };
  const inTurn = async <T>(bytes: number, work: () => Promise<T>): Promise<T> => {
    requireRoom();
    await new Promise<void>((start) => {
      waiting.push({ bytes, start });
      startNext();
    });
    try {
      return await work();
    } finally {
      runningBytes -= bytes;
      startNext();
    }
  };
  return { requireRoom, inTurn };
};
