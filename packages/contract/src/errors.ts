import { type Static, Type } from 'typebox';

/** Every code an answer may carry, with its status. Codes are stable; messages are for people and may change. */
export const errorStatus = {
  invalid_body: 400,
  invalid_header: 400,
  invalid_id: 400,
  invalid_query: 400,
  invalid_request: 400,
  unsafe_archive: 400,
  damaged_report: 400,
  merge_failed: 400,
  authentication_disabled: 400,
  setup_done: 400,
  last_administrator: 400,
  username_taken: 400,
  authentication_required: 401,
  invalid_api_key: 401,
  invalid_credentials: 401,
  insufficient_permissions: 403,
  cross_site_request: 403,
  not_found: 404,
  project_not_found: 404,
  run_not_found: 404,
  cluster_not_found: 404,
  view_not_found: 404,
  test_case_not_found: 404,
  test_not_found: 404,
  file_not_found: 404,
  user_not_found: 404,
  session_not_found: 404,
  api_key_not_found: 404,
  part_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  project_exists: 409,
  too_many_views: 409,
  no_blob_reports: 409,
  merge_unavailable: 409,
  batch_missing: 409,
  part_finished: 409,
  run_full: 409,
  run_damaged: 410,
  body_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  expectation_failed: 417,
  host_not_allowed: 421,
  query_too_costly: 422,
  too_many_attempts: 429,
  too_many_streams: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
  storage_full: 507,
} as const;

export type ErrorCode = keyof typeof errorStatus;

export const Issue = Type.Object(
  {
    path: Type.String({ description: 'JSON Pointer to the field' }),
    message: Type.String(),
  },
  { title: 'Issue' },
);
export type Issue = Static<typeof Issue>;

export const ErrorBody = Type.Object(
  {
    statusCode: Type.Integer(),
    code: Type.String({ description: 'Stable; the message beside it may change' }),
    message: Type.String(),
    issues: Type.Optional(Type.Array(Issue)),
    requestId: Type.String({ description: 'Also in the X-Request-Id header and in the log' }),
  },
  { title: 'Error' },
);
export type ErrorBody = Static<typeof ErrorBody>;
