import { expect, it } from 'vitest';
import { commonArguments } from './command-line.ts';

it('leaves out what differs between the shards of a suite, and where they were checked out', () => {
  const argumentsOf = (index: number): string[] => [
    'run',
    `--shard=${index}/3`,
    '--reporter',
    `blob-${index}`,
    `--outputFile.blob=raw-${index}.json`,
    `--coverage.reportsDirectory=coverage/${index}`,
    `--attachmentsDir`,
    `attachments-${index}`,
    `--config=/ci/${index}/vitest.config.ts`,
    '--project=web',
  ];
  const expected = ['run', '--config=/vitest.config.ts', '--project=web'];
  expect(commonArguments(argumentsOf(1), '/ci/1')).toEqual(expected);
  expect(commonArguments(argumentsOf(2), '/ci/2')).toEqual(expected);
});
