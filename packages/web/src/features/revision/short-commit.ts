const SHORT = 7;

/** As git shortens it; what is no hash keeps its whole name. */
export const shortCommit = (commit: string): string =>
  /^[\da-f]{12,}$/i.test(commit) ? commit.slice(0, SHORT) : commit;
