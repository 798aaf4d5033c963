/** Works on all items, `atOnce` of them at a time: what mostly waits for the server is not done one behind the other. Rejects with the first that fails; give it work that does not. */
export async function someAtOnce<Item>(
  items: Iterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const rest = Iterator.from(items);
  const worker = async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
