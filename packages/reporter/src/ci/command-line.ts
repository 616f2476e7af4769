/** What differs between the shards of one suite, in Playwright and in Vitest. */
const OF_ONE_SHARD =
  /^--(?:shard|output|reporter|outputFile(?:\.[\w-]+)?|coverage\.reportsDirectory|attachmentsDir)(=|$)/;

/**
 * The arguments that are the same for all shards of a suite, such as `--project=web`. Shards may have been checked out to
 * different folders, which do not count.
 */
export const commonArguments = (args: readonly string[], folder: string): string[] => {
  const kept: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const found = OF_ONE_SHARD.exec(args[at]!);
    if (found === null) kept.push(args[at]!.replaceAll(folder, ''));
    // Its value is the next one.
    else if (found[1] === '') at++;
  }
  return kept;
};
