/** Paths that a text in pieces names as `[[ATTACHMENT|path]]`, the way Jenkins, GitLab and Playwright know them. */
export interface PathsFound {
  add(piece: string): void;
  readonly paths: readonly string[];
}

const MARK = '[[ATTACHMENT|';
const LONGEST_PATH = 2_000;
const MOST_PATHS = 1_000;

export const findPaths = (): PathsFound => {
  const paths: string[] = [];
  let rest = '';
  return {
    add(piece) {
      rest += piece;
      for (let start = rest.indexOf(MARK); start !== -1; start = rest.indexOf(MARK)) {
        const end = rest.indexOf(']]', start);
        if (end === -1 && rest.length - start <= LONGEST_PATH) {
          rest = rest.slice(start);
          return;
        }
        const path = end === -1 ? '' : rest.slice(start + MARK.length, end).trim();
        if (path !== '' && path.length <= LONGEST_PATH && paths.length < MOST_PATHS) paths.push(path);
        rest = rest.slice(end === -1 ? start + MARK.length : end);
      }
      rest = rest.slice(-MARK.length);
    },
    paths,
  };
};
