/** An object as JSON with one more field, whose value is JSON already: cases may be many, and are written once. */
export const jsonWith = (fields: object, name: string, json: string): string => {
  const start = JSON.stringify(fields).slice(0, -1);
  return `${start}${start === '{' ? '' : ','}${JSON.stringify(name)}:${json}}`;
};
