import { describe, expect, it } from 'vitest';
import { type AnsiLook, readAnsi } from './ansi.ts';
import { withoutAnsi } from './error-cause.ts';

const ESC = '\u001B[';
/** What differs from plain text in the look of `x` behind these codes. */
const lookOf = (...codes: string[]): Partial<AnsiLook> => {
  const pieces = readAnsi(`${codes.map((code) => `${ESC}${code}m`).join('')}x`);
  const { text: _, ...look } = pieces.at(-1)!;
  return Object.fromEntries(Object.entries(look).filter(([, value]) => value !== null && value !== false));
};

describe('readAnsi', () => {
  it('reads the sixteen colours in front and behind', () => {
    expect(lookOf('31')).toEqual({ colour: 'red' });
    expect(lookOf('97')).toEqual({ colour: 'bright-white' });
    expect(lookOf('42')).toEqual({ background: 'green' });
    expect(lookOf('103')).toEqual({ background: 'bright-yellow' });
    expect(lookOf('31;44', '39')).toEqual({ background: 'blue' });
    expect(lookOf('31;44', '49')).toEqual({ colour: 'red' });
  });

  it('reads 256 colours and true colours, with semicolons and with colons', () => {
    expect(lookOf('38;5;1')).toEqual({ colour: 'red' });
    expect(lookOf('38;5;196')).toEqual({ colour: '#ff0000' });
    expect(lookOf('48;5;244')).toEqual({ background: '#808080' });
    expect(lookOf('38;2;255;128;0')).toEqual({ colour: '#ff8000' });
    expect(lookOf('48:2:1:2:3')).toEqual({ background: '#010203' });
    expect(lookOf('38;5;196;1')).toEqual({ colour: '#ff0000', bold: true });
  });

  it('reads what else a terminal does to text, and ends it', () => {
    expect(lookOf('1;2;3;4;7;9')).toEqual({
      bold: true,
      dim: true,
      italic: true,
      underline: true,
      inverse: true,
      struck: true,
    });
    expect(lookOf('1;2;3;4;7;9', '22;23;24;27;29')).toEqual({});
    expect(lookOf('4:3')).toEqual({ underline: true });
    expect(lookOf('4', '4:0')).toEqual({});
    expect(lookOf('1;31;44', '0')).toEqual({});
    expect(lookOf('1;31;44', '')).toEqual({});
  });

  it('survives codes that make no sense', () => {
    expect(lookOf('38')).toEqual({});
    expect(lookOf('38;2;999')).toEqual({ colour: '#ff0000' });
    expect(lookOf('38;5;999')).toMatchObject({ colour: expect.stringMatching(/^#[\da-f]{6}$/) as string });
    expect(lookOf('1234567890123')).toEqual({});
  });
});

it('leaves no sequence in plain text', () => {
  expect(withoutAnsi(`${ESC}38;2;1;2;3ma${ESC}0mb${ESC}2K\u001B]0;title\u0007c`)).toBe('abc');
});
