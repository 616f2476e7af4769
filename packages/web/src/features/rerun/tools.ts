export const TOOLS = ['playwright', 'vitest', 'jest', 'pytest', 'go', 'maven', 'gradle'] as const;
export type Tool = (typeof TOOLS)[number];

export const TOOL_NAMES: Readonly<Record<Tool, string>> = {
  playwright: 'Playwright',
  vitest: 'Vitest',
  jest: 'Jest',
  pytest: 'pytest',
  go: 'Go',
  maven: 'Maven',
  gradle: 'Gradle',
};

/** Of reports that only these tools write. */
const TOOLS_OF_FORMAT = new Map<unknown, readonly Tool[]>([
  ['Playwright JSON', ['playwright']],
  ['Playwright blob', ['playwright']],
  ['Jest or Vitest JSON', ['vitest', 'jest']],
  ['Go test JSON', ['go']],
]);

/** The tools that may have made a run, by what its sender says: one where that is certain. */
export const toolsOf = (metadata: unknown): readonly Tool[] => {
  const told = fieldsOf(metadata);
  const named = (['playwright', 'vitest', 'jest'] as const).filter((tool) => typeof told[tool] === 'object');
  if (named.length > 0) return named;
  const { formats } = fieldsOf(told['upload']);
  if (!Array.isArray(formats) || formats.length === 0) return TOOLS;
  const possible = new Set(formats.flatMap((format: unknown) => TOOLS_OF_FORMAT.get(format) ?? TOOLS));
  return TOOLS.filter((tool) => possible.has(tool));
};

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
