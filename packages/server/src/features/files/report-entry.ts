/** The file of a report that is opened first: its `index.html`, else the HTML file that lies highest, else its first file. */
export const entryOf = (type: string, paths: readonly string[]): string => {
  if (type.startsWith('blob')) {
    const zip = paths.find((path) => /\.zip$/i.test(path));
    if (zip !== undefined) return zip;
  }
  const byDepth = [...paths].sort((a, b) => depthOf(a) - depthOf(b));
  return (
    byDepth.find((path) => /(?:^|\/)index\.html?$/i.test(path)) ??
    byDepth.find((path) => /\.html?$/i.test(path)) ??
    paths[0]!
  );
};

const depthOf = (path: string): number => path.split('/').length;

const LABELS = new Map([
  ['html', 'HTML Report'],
  ['monocart', 'Monocart Report'],
  ['blob', 'Blob Report'],
]);

export const defaultLabel = (type: string): string =>
  LABELS.get(type) ?? `${type.charAt(0).toUpperCase()}${type.slice(1)} Report`;
