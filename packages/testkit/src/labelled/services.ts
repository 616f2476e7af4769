import type { Templates } from './label-errors.ts';

/** What databases, servers and clusters say through any runner. */
export const SERVICE_ERRORS: Templates = {
  'postgres: unique':
    'error: duplicate key value violates unique constraint "⟦users_email_key|users_name_key|orders_pkey⟧"\nDETAIL: Key (email)=(‹email›) already exists.\n‹nodeFrames›',
  'postgres: missing':
    'error: ⟦relation "orders" does not exist|relation "users" does not exist|column "vat" does not exist|column users.vat does not exist⟧\n    at Parser.parseErrorMessage (‹root›/node_modules/pg-protocol/src/parser.ts:‹line›)\n    at ‹root›/src/db.ts:‹line›',
  'postgres: deadlock':
    'error: deadlock detected: Process ‹n› waits for ShareLock on transaction ‹n›; blocked by process ‹n›.\n‹nodeFrames›',
  'mysql: duplicate': "Error: Duplicate entry '‹email›' for key '⟦users.email|members.email⟧'\n‹nodeFrames›",
  'sqlite: busy':
    'SqliteError: ⟦database is locked|UNIQUE constraint failed: users.email|UNIQUE constraint failed: users.name|no such table: orders⟧\n    at ‹root›/src/db.ts:‹line›',
  'knex: query':
    'insert into "orders" ("id", "email", "created_at") values (‹n›, \'‹email›\', \'‹iso›\') returning "id" - ⟦null value in column "total" of relation "orders" violates not-null constraint|null value in column "state" of relation "orders" violates not-null constraint⟧\n‹nodeFrames›',
  'mongo: duplicate':
    'MongoServerError: E11000 duplicate key error collection: shop_test_‹n›.⟦users|carts⟧ index: email_1 dup key: { email: "‹email›" }\n‹nodeFrames›',
  'http: endpoint':
    'Error: ⟦GET|GET|DELETE|GET|GET⟧ https://shop.test/api/⟦orders|users|orders|orders|orders⟧/‹n›⟦||||/lines⟧‹query› failed: ⟦500|500|500|404|500⟧, request ‹uuid› after ‹took›\n‹nodeFrames›',
  'http: preview host':
    'Error: GET https://pr-‹n›.preview.shop.test/⟦health|ready⟧ answered 502 Bad Gateway\n‹nodeFrames›',
  'http: rate': 'HTTPError: Response code ⟦429 (Too Many Requests)|403 (Forbidden)⟧, retry after ‹took›\n‹nodeFrames›',
  'grpc: status':
    'Error: ⟦14 UNAVAILABLE: No connection established. Last error: connect ECONNREFUSED ‹ip›:‹port› (‹iso›)|4 DEADLINE_EXCEEDED: Deadline exceeded after ‹took›|5 NOT_FOUND: user ‹uuid› not found⟧\n‹nodeFrames›',
  'kubernetes: pod':
    'Error: pod ⟦api|worker⟧-‹pod› in namespace e2e-‹n› is ⟦CrashLoopBackOff|CrashLoopBackOff⟧: back-off ‹took› restarting failed container\n‹nodeFrames›',
  'docker: image':
    'Error: (HTTP code ⟦404|500|404⟧) ⟦no such image|server error|no such container⟧ - ⟦No such image: shop/api:‹short›|failed to create task for container ‹sha›|No such container: ‹sha›⟧ \n‹nodeFrames›',
  'redis: command':
    "ReplyError: ⟦WRONGTYPE Operation against a key holding the wrong kind of value|LOADING Redis is loading the dataset in memory|OOM command not allowed when used memory > 'maxmemory' (‹bytes›).⟧\n‹nodeFrames›",
  'kafka: timeout':
    'KafkaJSRequestTimeoutError: Request ⟦Metadata|Produce⟧(key: ‹n›, version: ‹n›) timed out, broker ‹ip›:‹port›, took ‹took›\n‹nodeFrames›',
  's3: key':
    'NoSuchKey: The specified key does not exist: ⟦reports|invoices⟧/‹date›/‹uuid›.pdf (request ‹token›)\n‹nodeFrames›',
  'memory: heap':
    '<--- Last few GCs --->\n[‹n›:‹memory›]  ‹n› ms: Mark-Compact ‹float› (‹float›) -> ‹float› MB\nFATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
  'thread: pool':
    '[pool-‹count›-thread-‹count›] ⟦java.lang.OutOfMemoryError: Java heap space|java.lang.OutOfMemoryError: GC overhead limit exceeded|java.lang.StackOverflowError⟧\n‹javaFrames›',
};
