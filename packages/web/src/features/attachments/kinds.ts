import type { Attachment } from '@assay/contract';

export type Kind = 'picture' | 'video' | 'text' | 'file';

/** Decoded, it takes four bytes a pixel, whatever the size of its file. */
const MOST_PIXELS = 40_000_000;

const TEXT_TYPES =
  /^(?:text\/|application\/(?:.+\+)?(?:json|xml|yaml|x-yaml|toml|javascript|x-ndjson|ndjson|x-sh|sql|graphql)$)/;
/** Of files whose sender knew no type. */
const TEXT_NAMES = /\.(?:txt|log|md|json|jsonl|ndjson|ya?ml|xml|csv|tsv|diff|patch|har|toml|ini|sql)$/i;

/** How an attachment is shown, by the type it was sent with. */
export const kindOf = ({ contentType, name }: Pick<Attachment, 'contentType' | 'name'>): Kind => {
  const type = essenceOf(contentType);
  if (type.startsWith('image/')) return 'picture';
  if (type.startsWith('video/')) return 'video';
  const isText = TEXT_TYPES.test(type) || (type === 'application/octet-stream' && TEXT_NAMES.test(name));
  return isText ? 'text' : 'file';
};

export const isJson = ({ contentType, name }: Pick<Attachment, 'contentType' | 'name'>): boolean =>
  /[/+]json$/.test(essenceOf(contentType)) || /\.(?:json|har)$/i.test(name);

/** Whether a picture would take more memory than a page may ask for. */
export const isTooLarge = ({ width, height }: Pick<Attachment, 'width' | 'height'>): boolean =>
  width !== null && height !== null && width * height > MOST_PIXELS;

/** Where the file of an attachment is. */
export const fileUrl = (path: string): string => `/api/files/${path}`;

/** The type without its parameters. */
const essenceOf = (contentType: string): string => contentType.split(';', 1)[0]!.trim().toLowerCase();
