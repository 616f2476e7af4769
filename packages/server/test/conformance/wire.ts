import { ErrorBody, type ErrorCode } from '@assay/contract';
import { Compile } from 'typebox/compile';
import { expect } from 'vitest';
import type { TestServer } from '../server.ts';

export const SUBMIT = '/api/test-runs/submit';

/** A number that is valid JSON and no finite number; `jsonText` writes it where this marker stands. */
export const HUGE = '<1e999>';

export const jsonText = (value: unknown): string => JSON.stringify(value).replaceAll(`"${HUGE}"`, '1e999');

export const request = (server: Pick<TestServer, 'url'>, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(new URL(path, server.url), init);

export const sendText = (
  server: Pick<TestServer, 'url'>,
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  text: string,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Promise<Response> => request(server, path, { method, headers, body: text });

export const sendJson = (
  server: Pick<TestServer, 'url'>,
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  value: unknown,
): Promise<Response> => sendText(server, method, path, jsonText(value));

export const readJson = async (server: Pick<TestServer, 'url'>, path: string): Promise<unknown> => {
  const response = await request(server, path);
  expect(response.status, path).toBe(200);
  expect(response.headers.get('content-type'), path).toMatch(/^application\/json\b/);
  return response.json();
};

const errorBody = Compile(ErrorBody);

/** Asserts that an answer is an error of this status with the shape that all errors share. */
export const expectError = async (response: Response, status: number, code?: ErrorCode): Promise<ErrorBody> => {
  const text = await response.text();
  expect(response.status, text).toBe(status);
  expect(response.headers.get('content-type')).toMatch(/^application\/json\b/);
  const body: unknown = JSON.parse(text);
  expect([...errorBody.Errors(body)], text).toEqual([]);
  const error = body as ErrorBody;
  expect(error.statusCode).toBe(status);
  if (code !== undefined) expect(error.code).toBe(code);
  expect(error.message).not.toBe('');
  expect(error.requestId).not.toBe('');
  expect(error.requestId).toBe(response.headers.get('x-request-id'));
  return error;
};

export const pathsOf = (error: ErrorBody): string[] => (error.issues ?? []).map((issue) => issue.path);

export const expectIssue = async (response: Response, pointer: string): Promise<ErrorBody> => {
  const error = await expectError(response, 400, 'invalid_body');
  expect(pathsOf(error), JSON.stringify(error)).toContain(pointer);
  for (const issue of error.issues ?? []) expect(issue.message).not.toBe('');
  return error;
};
