import type { Source } from './source.ts';

const SHOWN = 60;

/** What a file looks like, for someone who gave the wrong one. */
export const describeContent = ({ head, sizeBytes }: Source, text: string): string => {
  if (sizeBytes === 0) return 'an empty file';
  return `${guess(head, text)}; it starts with ${JSON.stringify(text.trimStart().slice(0, SHOWN))}`;
};

const guess = (head: Buffer, text: string): string => {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'a gzip file: unpack it first';
  if (/^\s*(?:<!doctype html|<html)/i.test(text)) return 'an HTML page: upload it with --report html=<path>';
  const root = /^\s*(?:<\?[^]*?\?>\s*|<!--[^]*?-->\s*|<!DOCTYPE[^>]*>\s*)*<([\w:.-]+)/.exec(text)?.[1];
  if (root !== undefined) return `an XML document with the root <${root}>, where JUnit has <testsuites> or <testsuite>`;
  if (/^\s*\{/.test(text)) return `a JSON object with ${keysIn(text)}, which is not a known report format`;
  if (/^\s*\[/.test(text)) return 'a JSON array, which is not a known report format';
  if (/^(?:ok|FAIL|---|\?)\s+\S+.*(?:\ds|\[no test files\]|\(cached\))$/m.test(text)) {
    return 'plain output of go test: run go test -json';
  }
  return isBinary(head) ? 'a binary file' : 'a text in no known format';
};

const keysIn = (text: string): string => {
  const keys = [...text.matchAll(/"(\w{1,40})"\s*:/g)].slice(0, 3).map(([, key]) => `"${key}"`);
  return keys.length > 0 ? keys.join(', ') : 'no fields';
};

const isBinary = (head: Buffer): boolean => head.subarray(0, 1_000).includes(0);
