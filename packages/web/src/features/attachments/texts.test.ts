import { expect, it } from 'vitest';
import { sampleAttachment } from './sample-attachments.ts';
import { presentText } from './texts.ts';

const present = (text: string, contentType: string, size = Buffer.byteLength(text)) =>
  presentText(new TextEncoder().encode(text), sampleAttachment(1, { name: 'a', contentType, size }));

it('lays out JSON, unless it is none or not all of it is there', () => {
  expect(present('{"a":[1]}', 'application/json').text).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(present('{"a":', 'application/json').text).toBe('{"a":');
  expect(present('{"a":[1]}', 'application/json', 500)).toMatchObject({ text: '{"a":[1]}', isCut: true });
  expect(present('{"a":[1]}', 'text/plain').text).toBe('{"a":[1]}');
});

it('leaves out half a character where a text is cut', () => {
  const bytes = new TextEncoder().encode('aé').subarray(0, 2);
  expect(presentText(bytes, sampleAttachment(1, { size: 9 })).text).toBe('a');
});

it('tells what is no text', () => {
  expect(present('a\0b', 'text/plain').isBinary).toBe(true);
  expect(present('a\r\nb', 'text/plain')).toEqual({ text: 'a\nb', isCut: false, isBinary: false });
});
