import { AppError } from '../errors.ts';

const LONGEST_NAME = 80;

/** What an archive is refused with; the name is that of the entry which is at fault. */
export const refusal = (reason: string, name?: string): AppError =>
  new AppError(
    'unsafe_archive',
    name === undefined
      ? `The archive was refused: ${reason}`
      : `The archive was refused at "${printable(name)}": ${reason}`,
  );

/** A name of an archive may hold anything: line breaks, marks that turn the direction of writing, megabytes. */
const printable = (text: string): string => {
  const characters = [...text.slice(0, 2 * LONGEST_NAME + 2).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u{fffd}')];
  return characters.length <= LONGEST_NAME
    ? characters.join('')
    : `${characters.slice(0, LONGEST_NAME - 1).join('')}\u{2026}`;
};
