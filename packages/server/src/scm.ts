/** Where reporters put what they know of the change that a run tested: in the metadata, mostly below `scm`. */

type Fields = Readonly<Record<string, unknown>>;

export interface Change {
  readonly author: string | null;
  /** Its first line. */
  readonly commit_message: string | null;
  readonly environment: string | null;
  readonly pull_request: number | null;
  readonly base_commit: string | null;
  readonly filtered: number | null;
}

const LONGEST_TEXT = 1_000;
const LONGEST_AUTHOR = 200;
const LONGEST_MESSAGE = 300;
const LONGEST_ENVIRONMENT = 200;

const isNumberOfRequest = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** The first of these places that has a text of this name. */
export const textIn = (places: readonly Fields[], name: string): string | null => {
  for (const place of places) {
    const value = place[name];
    if (typeof value === 'string' && value !== '') return value.slice(0, LONGEST_TEXT).toWellFormed();
  }
  return null;
};

export const scmPlaces = (metadata: unknown): readonly Fields[] => {
  const fields = fieldsOf(metadata);
  return [fieldsOf(fields['scm']), fieldsOf(fields['git']), fields];
};

/** Who made the change and why, what it is based on, and what it was tested for. */
export const changeOf = (metadata: unknown): Change => {
  const places = scmPlaces(metadata);
  const fields = fieldsOf(metadata);
  const pullRequests = places.map((place) => fieldsOf(place['pullRequest']));
  const number = pullRequests.map((place) => place['number']).find(isNumberOfRequest);
  const { filtered } = fields;
  const message = textIn(places, 'message') ?? textIn(places, 'commitMessage');
  return {
    author: textIn(places, 'author')?.slice(0, LONGEST_AUTHOR).toWellFormed() ?? null,
    commit_message: message?.trim().split('\n', 1)[0]!.slice(0, LONGEST_MESSAGE).toWellFormed() || null,
    environment: textIn([fields], 'environment')?.trim().slice(0, LONGEST_ENVIRONMENT).toWellFormed() || null,
    pull_request: number ?? null,
    base_commit: textIn([...places, ...pullRequests], 'baseCommit'),
    filtered: typeof filtered === 'boolean' ? Number(filtered) : null,
  };
};

export const changeInJson = (metadataJson: string | null): Change =>
  changeOf(metadataJson === null ? null : JSON.parse(metadataJson));
