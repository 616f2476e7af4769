import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse, stringify } from 'yaml';

/*
 * The part of Helm's templates that the chart uses: if, range over a map, pipelines. Stricter than Helm, which renders
 * nothing for a value that values.yaml does not name.
 */

type Values = Readonly<Record<string, unknown>>;

export const readChart = (chart: string): { values: Values; about: Values } => ({
  values: parse(readFileSync(join(chart, 'values.yaml'), 'utf8')) as Values,
  about: parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8')) as Values,
});

/** The objects of a chart by their kind; `overrides` are what an operator sets. */
export const renderChart = (chart: string, release: string, overrides: Values): Record<string, unknown> => {
  const { values, about } = readChart(chart);
  const scope = {
    Values: merge(values, overrides),
    Release: { Name: release },
    Chart: { AppVersion: about['appVersion'] },
  };
  const objects = globSync(join(chart, 'templates/*.yaml')).flatMap((file) => {
    const object = parse(render(readFileSync(file, 'utf8'), scope, basename(file))) as { kind: string } | null;
    return object === null ? [] : [[object.kind, object]];
  });
  return Object.fromEntries(objects) as Record<string, unknown>;
};

const isMap = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);

const merge = (values: Values, overrides: Values): Values => ({
  ...values,
  ...Object.fromEntries(
    Object.entries(overrides).map(([name, value]) => {
      if (!(name in values)) throw new Error(`values.yaml does not name ${name}`);
      const given = values[name];
      const isOpen = isMap(given) && Object.keys(given).length === 0;
      return [name, isMap(given) && isMap(value) && !isOpen ? merge(given, value) : value];
    }),
  ),
});

const render = (template: string, scope: Values, file: string): string => {
  // Texts, and between them actions.
  const pieces = template.replaceAll(/\s*\{\{- /g, '{{ ').split(/\{\{ (.*?) \}\}/);
  let at = 0;
  /** Up to the end of the block, whose actions are skipped when it is not shown. */
  const block = (scope: Values, isShown: boolean): string => {
    let text = '';
    for (;;) {
      if (isShown) text += pieces[at];
      const action = pieces[at + 1];
      at += 2;
      if (action === undefined || action === 'end') return text;
      const [, condition] = /^if (.*)$/.exec(action) ?? [];
      const [, name, value, map] = /^range (\$\w+), (\$\w+) := (.*)$/.exec(action) ?? [];
      if (condition !== undefined) text += block(scope, isShown && isTrue(evaluate(condition, scope, file)));
      else if (map === undefined) text += isShown ? String(evaluate(action, scope, file)) : '';
      else {
        const start = at;
        for (const [key, item] of Object.entries(isShown ? (evaluate(map, scope, file) as Values) : {})) {
          at = start;
          text += block({ ...scope, [name!]: key, [value!]: item }, true);
        }
        at = start;
        block(scope, false);
      }
    }
  };
  return block(scope, true);
};

const isTrue = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);

const FUNCTIONS: Readonly<Record<string, (...args: never[]) => unknown>> = {
  add: (...numbers: number[]) => numbers.reduce((sum, one) => sum + one),
  default: (fallback: unknown, value: unknown) => (isTrue(value) ? value : fallback),
  nindent: (spaces: number, text: string) => `\n${text.replaceAll(/^/gm, ' '.repeat(spaces))}`,
  not: (value: unknown) => !isTrue(value),
  quote: (value: unknown) => JSON.stringify(String(value)),
  required: (message: string, value: unknown) => {
    if (!isTrue(value)) throw new Error(message);
    return value;
  },
  toYaml: (value: unknown) => stringify(value).trimEnd(),
};

/** What a step of a pipeline gives is the last argument of the next. */
const evaluate = (pipeline: string, scope: Values, file: string): unknown => {
  let piped: unknown[] = [];
  for (const step of pipeline.split(' | ')) {
    const [first = '', ...args] = step.match(/"[^"]*"|\S+/g) ?? [];
    const call = FUNCTIONS[first];
    if (call === undefined && args.length > 0) throw new Error(`${file}: there is no function ${first}`);
    const values = (call ? args : [first]).map((term) => valueOf(term, scope, file));
    piped = call ? [call(...(values.concat(piped) as never[]))] : values;
  }
  return piped[0];
};

const valueOf = (term: string, scope: Values, file: string): unknown => {
  if (/^(?:"|\d)/.test(term)) return JSON.parse(term);
  const names = term.startsWith('$') ? [term] : term.split('.').slice(1);
  return names.reduce<unknown>((value, name) => {
    if (!isMap(value) || !(name in value)) throw new Error(`${file}: there is no ${term}`);
    return value[name];
  }, scope);
};
