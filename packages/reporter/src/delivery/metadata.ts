import { MAX_METADATA_BYTES } from '@assay/contract/limits';

export { addMetadata, jsonBytes } from '@assay/import/metadata';

/** Of what the reporter knows at the beginning and of errors outside of all tests, which come at the end. */
const RESERVED_BYTES = 12 * 1024;
const RESERVED_FOR_ERRORS_BYTES = 4 * 1024;

/** Of the metadata that a person sets. */
export const MAX_GIVEN_BYTES = MAX_METADATA_BYTES - RESERVED_BYTES;
/** Of the metadata of a run that begins. */
export const MAX_BEGINNING_BYTES = MAX_METADATA_BYTES - RESERVED_FOR_ERRORS_BYTES;
