import type { WriterMemory } from '../../writer/command.ts';
import type { CaseTemplate, Hole } from './case-template.ts';
import type { PlainCase } from './plain-case.ts';
import { type StoredPart, createPartStore } from './stored-parts.ts';

/** A case as a submission wrote it, with holes where its values differ from run to run. */
export interface KnownCase {
  /** What is before, between and behind the holes. */
  readonly parts: readonly StoredPart[];
  readonly holes: readonly Hole[];
  /** What was read of it; whoever meets it again puts in what the holes have then. */
  readonly plain: PlainCase;
  /** What came after it last time: runs list their cases in the same order most of the time. */
  next: KnownCase | null;
}

export interface KnownCases extends WriterMemory {
  /** The known case that was met last. */
  last: KnownCase | null;
  find(template: CaseTemplate): KnownCase | null;
  learn(bytes: Buffer, template: CaseTemplate, plain: Readonly<PlainCase>): void;
}

const MAX_REMEMBERED_BYTES = 64 * 1024 * 1024;
const LONGEST_CASE = 8 * 1024;
const BYTES_OF_AN_ENTRY = 400;
const BYTES_OF_A_CHARACTER = 4;

export const createKnownCases = (): KnownCases => {
  const byText = new Map<string, KnownCase>();
  let store = createPartStore();
  let rememberedBytes = 0;
  const known: KnownCases = {
    last: null,
    commit: () => undefined,
    rollBack: () => undefined,
    find: ({ text }) => byText.get(text) ?? null,
    learn(bytes, { text, cuts, holes }, plain) {
      if (text.length > LONGEST_CASE) return;
      rememberedBytes += BYTES_OF_AN_ENTRY + BYTES_OF_A_CHARACTER * text.length;
      if (rememberedBytes > MAX_REMEMBERED_BYTES) {
        byText.clear();
        store = createPartStore();
        rememberedBytes = 0;
      }
      const parts = Array.from({ length: cuts.length / 2 }, (_, n) => store(bytes, cuts[2 * n]!, cuts[2 * n + 1]!));
      known.last = { parts, holes, plain: { ...plain }, next: null };
      byText.set(text, known.last);
    },
  };
  return known;
};
