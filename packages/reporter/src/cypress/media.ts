import { copyFile, link, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import type { ReportToSend } from '../delivery/delivery.ts';

/** A screenshot or a video. */
export interface MediaFile {
  /** The spec that it is of. */
  readonly spec: string;
  readonly path: string;
}

export interface MediaReport {
  readonly report: ReportToSend;
  remove(): Promise<void>;
}

/** A page with the screenshots and videos of a run; null when there is none. What is gone by now is left out. */
export const buildMediaReport = async (
  files: readonly MediaFile[],
  label: string | undefined,
): Promise<MediaReport | null> => {
  if (files.length === 0) return null;
  const folder = await mkdtemp(join(tmpdir(), 'assay-cypress-'));
  const placed: (MediaFile & { readonly name: string })[] = [];
  for (const [at, file] of files.entries()) {
    const name = `${at + 1}${extname(file.path)}`;
    // A link where that is possible: videos are large.
    const isThere = await link(file.path, join(folder, name))
      .catch(() => copyFile(file.path, join(folder, name)))
      .then(
        () => true,
        () => false,
      );
    if (isThere) placed.push({ ...file, name });
  }
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  if (placed.length === 0) {
    await remove();
    return null;
  }
  await writeFile(join(folder, 'index.html'), pageOf(placed));
  return { report: { type: 'cypress', path: folder, label: label ?? 'Screenshots and videos' }, remove };
};

const pageOf = (files: readonly (MediaFile & { readonly name: string })[]): string => {
  const specs = [...new Set(files.map(({ spec }) => spec))].sort();
  const sections = specs.map((spec) => {
    const own = files.filter((file) => file.spec === spec);
    return `<h2>${escapeHtml(spec)}</h2>\n${own.map(figureOf).join('\n')}`;
  });
  return `<!doctype html>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Screenshots and videos</title>
<style>
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
  body { max-width: 960px; margin: 0 auto; padding: 16px; }
  img, video { max-width: 100%; }
  figure { margin: 0 0 24px; }
</style>
<h1>Screenshots and videos</h1>
${sections.join('\n')}
`;
};

const figureOf = ({ path, name }: MediaFile & { readonly name: string }): string => {
  const title = escapeHtml(basename(path));
  const content = /\.(?:mp4|webm)$/i.test(name)
    ? `<video controls preload="none" src="${name}"></video>`
    : `<a href="${name}"><img loading="lazy" src="${name}" alt="${title}"></a>`;
  return `<figure>${content}<figcaption>${title}</figcaption></figure>`;
};

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
