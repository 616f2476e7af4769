import { expect, it } from 'vitest';
import { AppError } from '../../errors.ts';
import type { ArchiveLimits } from '../limits.ts';
import { openUnpacker } from '../unpacker.ts';
import { openScratch } from './scratch.ts';

export interface RefusalCase {
  readonly archive: Buffer;
  readonly message: string;
  readonly limits?: Partial<ArchiveLimits>;
}

/** One for all tests of a file; its thread does not keep the process. */
const unpacker = openUnpacker();

/** Every case is refused with its message and leaves nothing behind. */
export const itRefuses = (cases: Readonly<Record<string, RefusalCase>>): void => {
  it.each(Object.entries(cases))('refuses %s', async (_, { archive, message, limits }) => {
    using scratch = openScratch(archive, limits);
    const outcome: unknown = await unpacker.unpack(scratch).catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(AppError);
    expect(outcome).toMatchObject({
      code: 'unsafe_archive',
      status: 400,
      message: `The archive was refused${message}`,
    });
    expect(scratch.list()).toEqual([]);
  });
};
