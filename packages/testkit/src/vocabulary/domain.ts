export type Framework = 'playwright' | 'vitest' | 'junit';

/** The words of one kind of product, from which titles, paths, steps and requests are composed. */
export interface Domain {
  readonly name: string;
  readonly framework: Framework;
  readonly host: string;
  /** Area → feature → what its tests say it does. */
  readonly areas: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** What any feature may be tested for. */
  readonly manners: readonly string[];
  /** Suffix of the file → describe block. */
  readonly actors: Readonly<Record<string, string>>;
  /** Appended to a sentence. */
  readonly settings: readonly string[];
  /** Titles of steps, in the order in which they may happen. */
  readonly phases: readonly string[];
  readonly buttons: readonly string[];
  readonly fields: readonly string[];
  readonly pages: readonly string[];
  readonly endpoints: readonly string[];
}
