const MOST_VERSIONS = 50;
const DEEPEST = 4;
const LONGEST = 200;

/** The versions that the metadata of a run names, such as `playwright` of `{playwright: {version: '1.60.0'}}`. */
export const toolVersions = (metadata: unknown): ReadonlyMap<string, string> => {
  const versions = new Map<string, string>();
  const note = (path: readonly string[], value: unknown): void => {
    if (typeof value !== 'string' && typeof value !== 'number') return;
    if (versions.size < MOST_VERSIONS && path.length > 0) {
      versions.set(path.join('.').slice(0, LONGEST), String(value).slice(0, LONGEST));
    }
  };
  const look = (value: unknown, path: readonly string[]): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || path.length >= DEEPEST) return;
    for (const [key, inner] of Object.entries(value)) {
      const named = /^(.*?)[-_]?version$/i.exec(key);
      if (named) note(named[1] ? [...path, named[1]] : path, inner);
      else if (/^versions$/i.test(key) && typeof inner === 'object' && inner !== null) {
        for (const [name, version] of Object.entries(inner)) note([...path, name], version);
      } else look(inner, [...path, key]);
    }
  };
  look(metadata, []);
  return versions;
};
