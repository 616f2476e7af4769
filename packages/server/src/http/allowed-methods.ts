import type { FastifyInstance } from 'fastify';

interface KnownPath {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

/** Learns of all routes that are registered after it; answers which methods a path takes, none for an unknown one. */
export const watchRoutes = (app: FastifyInstance): ((path: string) => string[]) => {
  const known = new Map<string, KnownPath>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = (Array.isArray(method) ? method : [method]).filter((one) => one !== 'OPTIONS');
    if (methods.length === 0) return;
    const path = known.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const one of methods) path.methods.add(one);
    known.set(url, path);
  });
  return (path) => {
    const exact = known.get(path);
    const found = exact ? [exact] : [...known.values()].filter(({ pattern }) => pattern.test(path));
    const methods = new Set(found.flatMap((one) => [...one.methods]));
    return methods.size === 0 ? [] : [...methods, 'OPTIONS'].sort();
  };
};

/** `/a/:id(^\d+$)/:name/*` as an expression for whole paths. */
const patternOf = (url: string): RegExp => {
  const parts = url.split(/(:\w+(?:\([^)]*\))?|\*)/);
  const source = parts.map((part, index) =>
    index % 2 === 0 ? part.replace(/[$()+.?[\\\]^{|}]/g, '\\$&') : parameterOf(part),
  );
  return new RegExp(`^${source.join('')}$`);
};

const parameterOf = (part: string): string => {
  if (part === '*') return '.*';
  const constraint = /\(\^?(.*?)\$?\)$/.exec(part)?.[1];
  return constraint === undefined ? '[^/]+' : `(?:${constraint})`;
};
