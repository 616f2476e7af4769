import { openPromise } from 'yauzl';

/** A blob report by Playwright, or any other zip that does not just wrap such reports. */
export const isBlobReport = async (file: string): Promise<boolean> => {
  const zip = await openPromise(file, { lazyEntries: true }).catch(() => null);
  if (zip === null) return false;
  let wrapsZips = false;
  try {
    for await (const { fileName } of zip.eachEntry()) {
      if (/^report[^/]*\.jsonl$/.test(fileName)) return true;
      wrapsZips ||= /\.zip$/i.test(fileName);
    }
    return !wrapsZips;
  } catch {
    return true;
  } finally {
    zip.close();
  }
};
