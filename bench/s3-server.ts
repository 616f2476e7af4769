import { startTestS3 } from '../packages/server/test/s3/s3-server.ts';

/** A process of its own: the S3 server of the tests. */
const server = await startTestS3();
process.send?.(server.newLocation());
process.once('SIGTERM', () => process.exit(0));
