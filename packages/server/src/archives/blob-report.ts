import { fromFdPromise } from 'yauzl';
import { refusal } from './refusal.ts';

/** Whether a zip is a blob report by Playwright, or any other that does not just wrap such reports. */
export const isBlobReport = async (descriptor: number, maxEntries: number): Promise<boolean> => {
  const zip = await fromFdPromise(descriptor, { lazyEntries: true, autoClose: false }).catch(() => null);
  if (zip === null) return false;
  if (zip.entryCount > maxEntries) throw refusal(`it has more than ${maxEntries} entries`);
  let wrapsZips = false;
  try {
    for await (const { fileName } of zip.eachEntry()) {
      if (/^report[^/]*\.jsonl$/.test(fileName)) return true;
      wrapsZips ||= /\.zip$/i.test(fileName);
    }
    return !wrapsZips;
  } catch {
    return true;
  }
};
