import { red } from '../errors/failure.ts';
import { type Random, createRandom } from '../random.ts';
import { FRAMES } from './frames.ts';
import { SLOTS } from './slots.ts';

/*
 * Which errors have one cause is decided as a person would who mends them, before any fingerprint is asked:
 * - The same: what differs is data of the run. Numbers, amounts, times, durations in whatever unit, ports, addresses, ids,
 *   hashes, folders of the machine, names of users and products, how many there are of something, frames of libraries and
 *   lines of code, what a page showed while it was waited for, colours.
 * - Not the same: another class of error or matcher, another locator, method, route or status of a request, another
 *   property, module, table, column, constraint, file, environment variable or host, another text that a test expects,
 *   another exit code, another service by its port, another exception at the root. Where an assertion compares numbers and
 *   says no more, another statement, test method or file.
 */
export interface LabelledError {
  /** Errors with the same label have the same cause. */
  readonly label: string;
  readonly text: string;
}

/**
 * Texts of errors, by a name. `‹slot›` is filled anew in each error. `⟦a|b⟧` makes a template for each alternative, each a
 * cause of its own; where a text has several, they are chosen together.
 */
export type Templates = Readonly<Record<string, string>>;

const MOST_ERRORS = 24;

/** Errors of all templates in the same order for the same seed; some causes happen often and some twice. */
export const labelErrors = (templates: Templates, seed: number | string): LabelledError[] => {
  const random = createRandom(seed);
  return causesOf(templates).flatMap(({ label, template }) => {
    const errors = random.fork(label);
    return Array.from({ length: errors.integer(2, MOST_ERRORS) }, () => ({ label, text: fill(errors, template) }));
  });
};

export const causesOf = (templates: Templates): { readonly label: string; readonly template: string }[] =>
  Object.entries(templates).flatMap(([name, text]) => {
    const count = /⟦([^⟧]*)⟧/.exec(text)?.[1]!.split('|').length ?? 1;
    return Array.from({ length: count }, (_, at) => ({
      label: `${name} ${at + 1}`,
      template: text.replace(/⟦([^⟧]*)⟧/g, (whole, alternatives: string) => alternatives.split('|')[at] ?? whole),
    }));
  });

const fill = (random: Random, template: string): string => {
  const text = template.replace(/‹(\w+)›/g, (_, slot: string) => {
    const frames = FRAMES[slot];
    if (frames) return fill(random, frames(random));
    const value = SLOTS[slot];
    if (!value) throw new RangeError(`Nothing fills ‹${slot}›`);
    return value(random);
  });
  return random.chance(0.3) ? coloured(random, text) : text;
};

/** Runners colour a line or a part of it when they think that a terminal reads it. */
const coloured = (random: Random, text: string): string =>
  text.replace(/^(\S.*)$/gm, (line) => (random.chance(0.5) ? red(line) : line));
