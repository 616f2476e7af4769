/** The JSON of a list, from the JSON of lists that it is cut into. */
export async function* writeList(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let before = '[';
  for await (const json of pieces) {
    if (json === '[]') continue;
    yield `${before}${json.slice(1, -1)}`;
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

/** The JSON of an object, with further fields that are lists. */
export async function* writeWithLists(
  head: object,
  lists: Readonly<Record<string, AsyncIterable<string>>>,
): AsyncGenerator<string> {
  yield JSON.stringify(head).slice(0, -1);
  for (const [name, pieces] of Object.entries(lists)) {
    yield `,${JSON.stringify(name)}:`;
    yield* writeList(pieces);
  }
  yield '}';
}
