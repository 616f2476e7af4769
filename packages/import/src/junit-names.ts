import type { CaseDraft } from './build-case.ts';
import type { JunitSuite } from './junit-case.ts';
import { type Place, isFile } from './places.ts';
import type { Attributes } from './xml.ts';

type Identity = Pick<CaseDraft, 'titles' | 'place' | 'browser'>;

/**
 * Tools put the file, the class and the describes of a test into different attributes. What stays the same from run to
 * run, and tells two tests of one run apart, becomes its file and its title.
 */
export const identifyJunitCase = (attributes: Attributes, suites: readonly JunitSuite[]): Identity => {
  const name = attributes['name']?.trim() ?? '';
  const className = (attributes['classname'] ?? attributes['class'] ?? '').trim();
  const suite = suites[suites.length - 1];
  const file = fileOf(attributes, className, suites);
  const place = placeOf(attributes, file ?? (className !== name && className ? className : suite?.name));
  const browser = suite?.isOfPlaywright && className === suite.name ? suite.hostname : undefined;
  return { titles: titlesOf(name, className, file, suites), place, browser };
};

const fileOf = (attributes: Attributes, className: string, suites: readonly JunitSuite[]): string | undefined => {
  if (attributes['file']) return attributes['file'];
  if (isFile(className)) return className;
  for (let at = suites.length - 1; at >= 0; at--) {
    const { file, name } = suites[at]!;
    if (file) return file;
    if (isFile(name)) return name;
  }
  return undefined;
};

const placeOf = (attributes: Attributes, file: string | undefined): Place | undefined =>
  file ? { file, line: Number(attributes['line'] ?? NaN), column: Number(attributes['column'] ?? NaN) } : undefined;

const titlesOf = (
  name: string,
  className: string,
  file: string | undefined,
  suites: readonly JunitSuite[],
): string[] => {
  const names = suites.map((suite) => suite.name);
  // Node's test runner: suites are its describes, and the class is their names with dots.
  const isOfNode = names.length === 0 ? className === 'test' : className === names.join('.') && !isFile(className);
  if (file && isOfNode) return [...names, name];
  // Of a class that failed as a whole there is no name.
  if (name === '') return [className || names[names.length - 1] || ''];
  const inner = names
    .slice(1)
    .filter((suite) => (className === '' || !dotted(suite).startsWith(dotted(className))) && !saysAlready(name, suite));
  if (file === undefined) return [...inner.filter((suite) => !dotted(className).includes(dotted(suite))), name];
  const within = withoutModule(className, file);
  return within === '' || saysAlready(name, within)
    ? [...inner, name]
    : [...inner.filter((suite) => suite !== within), within, name];
};

/** PHPUnit writes the class of a case with dots, and that of its suite as the language does. */
const dotted = (name: string): string => name.replace(/[\\:]+/g, '.');

const saysAlready = (name: string, part: string): boolean => part === '' || isFile(part) || name.includes(part);

/** Of `tests.test_cart.TestCart` in `tests/test_cart.py` only `TestCart`. */
const withoutModule = (className: string, file: string): string => {
  if (className === file || isFile(className)) return '';
  const module = file
    .replaceAll('\\', '/')
    .replace(/\.[^./]+$/, '')
    .replace(/^\.?\/+/, '')
    .replaceAll('/', '.');
  const parts = className.split('.');
  for (let taken = parts.length; taken > 0; taken--) {
    const start = parts.slice(0, taken).join('.');
    if (module === start || module.endsWith(`.${start}`)) return parts.slice(taken).join('.');
  }
  return className;
};
