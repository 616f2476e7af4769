/** The filter of all that an owner has, or of what nobody owns. */
export const filterByOwner = (owner: string | null): string => {
  if (owner === null) return '-owner:*';
  return /^[\w@./-]+$/.test(owner) ? `owner:${owner}` : `owner:${JSON.stringify(owner)}`;
};
