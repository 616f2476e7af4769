/** Limits of what may be sent. Lengths are in UTF-16 code units, as `String.length` counts. */

/** Most results one run can hold: the index of a result is the low part of its id. */
export const MAX_RESULTS_PER_RUN = 2 ** 20;
export const MAX_SHARDS = 1_000;
/** Of the metadata of a run, as JSON. */
export const MAX_METADATA_BYTES = 64 * 1024;
export const MAX_TITLE_LENGTH = 1_000;
export const MAX_STATUS_LENGTH = 40;
/** Of a location, a branch and other texts that are shown on a line. */
export const MAX_TEXT_LENGTH = 4_000;
/** Of a tag and of a browser. */
export const MAX_NAME_LENGTH = 200;
export const MAX_TAGS = 1_000;
/** Of workers that run tests side by side, counted from 0. */
export const MAX_LANE = 9_999;
/** Of one test case, over all of its attempts. */
export const MAX_ATTACHMENTS_PER_CASE = 500;
export const MAX_ATTACHMENT_NAME_LENGTH = 200;
/** Attempts that attachments may name, counted from 0. */
export const MAX_ATTEMPTS = 1_000;
/** In one request. */
export const MAX_COMMITS = 500;
export const MAX_PARENTS = 64;
/** Of a commit. */
export const MAX_CHANGED_FILES = 1_000;
/** Of a CODEOWNERS file. */
export const MAX_OWNERS_LENGTH = 768 * 1024;
/** Patterns of it that may match in several folders: each is tried on many paths. */
export const MAX_LOOSE_OWNERS = 1_000;
/** Of one file: those of further sections, or of a longer line, are left out. */
export const MAX_OWNERS_OF_FILE = 100;
/** Told in one request. */
export const MAX_SPELLED_FILES = 5_000;
