/** Where to go after signing in: a page of ours, whatever the address says. */
export const nextPage = (next: string): string => {
  const { origin } = window.location;
  const url = URL.parse(next, origin);
  return url?.origin === origin && next.startsWith('/') ? url.pathname + url.search : '/';
};
