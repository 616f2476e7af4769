import { createHash } from 'node:crypto';
import { createWriteStream, openSync, fsyncSync, closeSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A process of its own: the least that a service must do for an upload, a pipe to disk with a hash on the way. */
const [file] = process.argv.slice(2) as [string];

const server = createServer((request, response) => {
  const hash = createHash('sha256');
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  void pipeline(request, meter, createWriteStream(file)).then(() => {
    const descriptor = openSync(file, 'r');
    fsyncSync(descriptor);
    closeSync(descriptor);
    return response.end(hash.digest('hex'));
  });
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('SIGTERM', () => process.exit(0));
