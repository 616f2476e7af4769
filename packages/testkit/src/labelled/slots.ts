import type { Random } from '../random.ts';
import { fillPath, hex } from '../tokens.ts';

const USERS = ['alice', 'bob', 'mallory', 'j.doe', 'nguyen', 'o.garcia', 'svc-import', 'Kowalski', 'admin', 'ops'];
const PEOPLE = ['Ada Lovelace', 'Grace Hopper', 'José Álvarez', 'Mary Ann Smith', "Siobhán O'Neil", 'Li Wei', 'Kim'];
const PRODUCTS = ['Blue lamp', 'Oak desk', 'USB-C cable 2 m', 'Garden chair', 'Winter coat XL', 'Espresso cups (6)'];
const ROOTS = [
  '/home/runner/work/shop/shop',
  '/builds/acme/shop',
  '/Users/kim/dev/shop',
  '/workspace/shop',
  '/var/lib/jenkins/workspace/shop_main@2',
  '/__w/shop/shop',
  'C:\\agents\\work\\4\\s',
];
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const UNITS = ['ms', 's', 'm', ' ms', ' s', ' seconds', ' minutes'];
const two = (value: number): string => String(value).padStart(2, '0');

const letters = (random: Random, length: number, from = ALPHABET): string =>
  Array.from({ length }, () => from[random.integer(0, from.length - 1)]).join('');
const number = (random: Random): number => random.integer(0, 10 ** random.integer(1, 6) - 1);
const ip = (random: Random): string =>
  random.chance(0.2) ? '127.0.0.1' : `10.${random.integer(0, 255)}.${random.integer(0, 255)}.${random.integer(2, 254)}`;
const clock = (random: Random): string =>
  `${two(random.integer(0, 23))}:${two(random.integer(0, 59))}:${two(random.integer(0, 59))}`;
const date = (random: Random): string => fillPath(random, '{date}');
const listOf = (random: Random, item: (random: Random) => unknown): string =>
  Array.from({ length: random.integer(1, 6) }, () => item(random)).join(', ');

/** What differs between errors of one cause: `‹port›` in a template is filled by `port`. */
export const SLOTS: Readonly<Record<string, (random: Random) => string>> = {
  n: (random) => String(number(random)),
  signed: (random) => `${random.chance(0.3) ? '-' : ''}${number(random)}`,
  float: (random) => `${number(random)}.${random.integer(1, 999_999)}`,
  money: (random) =>
    `${random.integer(1, 9)},${two(random.integer(10, 99))}${random.integer(0, 9)}.${two(random.integer(0, 99))}`,
  ms: (random) => String(random.integer(100, 60_000)),
  took: (random) =>
    `${random.integer(1, 900)}${random.chance(0.5) ? `.${random.integer(1, 999)}` : ''}${random.pick(UNITS)}`,
  bytes: (random) => `${random.integer(1, 900)}${random.pick([' KB', ' MB', ' bytes', ' MiB', 'kB'])}`,
  count: (random) => String(random.integer(2, 40)),
  items: (random) => (random.chance(0.3) ? '1 item' : `${random.integer(2, 30)} items`),
  port: (random) => String(random.integer(32_768, 60_999)),
  ip,
  address: (random) => (random.chance(0.2) ? '::1' : ip(random)),
  uuid: (random) => fillPath(random, '{uuid}'),
  hex6: (random) => hex(random, 6),
  hex8: (random) => hex(random, 8),
  sha: (random) => hex(random, random.chance(0.5) ? 40 : 64),
  short: (random) => hex(random, 7),
  memory: (random) => `0x${hex(random, random.chance(0.5) ? 12 : 16)}`,
  identity: (random) => hex(random, random.integer(6, 8)),
  nano: (random) => letters(random, 21, `${ALPHABET}_-`),
  token: (random) => letters(random, 24),
  jwt: (random) => `eyJ${letters(random, 33)}.eyJ${letters(random, 60)}.${letters(random, 43, `${ALPHABET}_-`)}`,
  base64: (random) => `${letters(random, 38, `${ALPHABET}+/`)}==`,
  date,
  time: (random) => clock(random),
  iso: (random) => `${date(random)}T${clock(random)}.${random.integer(100, 999)}${random.pick(['Z', '+02:00'])}`,
  longDate: (random) =>
    `${random.pick(['Mon', 'Tue', 'Fri', 'Sun'])} ${random.pick(['Jan', 'Mar', 'Aug', 'Nov'])} ${two(random.integer(1, 28))} 2026 ${clock(random)} GMT+0000 (Coordinated Universal Time)`,
  user: (random) => random.pick(USERS),
  person: (random) => random.pick(PEOPLE),
  product: (random) => random.pick(PRODUCTS),
  email: (random) =>
    `${random.pick(USERS)}${random.chance(0.5) ? `+${number(random)}` : ''}@${random.pick(['example.com', 'mail.test', 'acme-corp.example'])}`,
  root: (random) => random.pick(ROOTS),
  tmp: (random) =>
    random.pick([
      `/tmp/${letters(random, 8)}`,
      `/tmp/pytest-of-ci/pytest-${random.integer(0, 99)}`,
      `/private/var/folders/zz/${letters(random, 12)}/T/run-${hex(random, 6)}`,
      `C:\\Users\\ci\\AppData\\Local\\Temp\\${letters(random, 6)}`,
    ]),
  pod: (random) => `${hex(random, 9)}-${letters(random, 5, 'bcdfghjklmnpqrstvwxz2456789')}`,
  numbers: (random) => listOf(random, number),
  ids: (random) => listOf(random, (each) => `'u-${number(each)}'`),
  line: (random) => `${random.integer(2, 900)}:${random.integer(1, 90)}`,
  row: (random) => String(random.integer(2, 900)),
  query: (random) => (random.chance(0.5) ? '' : `?page=${random.integer(1, 40)}&q=${random.pick(USERS)}`),
};
