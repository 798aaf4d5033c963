import { RuntimeError } from '../errors.ts';

/**
 * The item with an id, or with an id that begins so and no other does: what people type. Throws `RuntimeError`
 * INVALID_ARGUMENT where several do, so that nobody takes what they meant for gone.
 */
export function byId<Item>(items: ReadonlyMap<string, Item>, id: string, what: string): Item | undefined {
  const exact = items.get(id);
  if (exact || id === '') return exact;
  const found = [...items.keys()].filter((each) => each.startsWith(id));
  if (found.length > 1)
    throw new RuntimeError('INVALID_ARGUMENT', `"${id}" begins the ids of ${found.length} ${what}`);
  return items.get(found[0] ?? '');
}
