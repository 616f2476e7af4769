/**
 * Byte text is a string whose characters are the bytes of its UTF-8. V8 keeps such a string in one byte for each
 * character, and turning it into a buffer is a copy, so that answers with thousands of names need no encoding at the
 * end.
 */
export const toByteText = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

export const byteTextToBuffer = (byteText: string): Buffer => Buffer.from(byteText, 'latin1');
