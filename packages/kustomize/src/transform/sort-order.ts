/** The order of what comes out. */
import { KustomizeError } from '../errors.ts';
import { compareGvks, gvkText, type KindOrder, sameGvk, standardOrder } from '../model/gvk.ts';
import type { Resource } from '../model/resource.ts';
import type { ResourceList } from '../model/resource-list.ts';

export interface SortOptions {
  order?: string;
  legacySortOptions?: { orderFirst?: string[]; orderLast?: string[] };
}

/** `fifo` leaves all as it came; `legacy` goes by kind, then by name. Throws KustomizeError for another. */
export function sortResources(resources: ResourceList, { order, legacySortOptions }: SortOptions): void {
  if (order !== 'fifo' && order !== 'legacy')
    throw new KustomizeError("the field 'sortOptions.order' must be one of [fifo, legacy]");
  if (order === 'fifo') {
    if (legacySortOptions === undefined) return;
    throw new KustomizeError(
      "the field 'sortOptions.legacySortOptions' is set but the selected sort order is 'fifo', not 'legacy'",
    );
  }
  const kinds: KindOrder = legacySortOptions
    ? { first: legacySortOptions.orderFirst ?? [], last: legacySortOptions.orderLast ?? [] }
    : standardOrder;
  resources.items = resources.items
    .map((item) => ({ item, gvk: item.gvk, text: sortText(item) }))
    .sort((one, other) =>
      sameGvk(one.gvk, other.gvk)
        ? compareTexts(one.text, other.text)
        : compareKinds(one.gvk, other.gvk, kinds),
    )
    .map(({ item }) => item);
}

/** Namespaces of the core group come before those of others. */
function compareKinds(one: Resource['gvk'], other: Resource['gvk'], kinds: KindOrder): number {
  const difference = compareGvks(one, other, kinds);
  const areNamespaces = one.kind === 'Namespace' && other.kind === 'Namespace';
  return areNamespaces && (one.group === '' || other.group === '') ? -difference : difference;
}

const sortText = ({ gvk, name, namespace }: Resource): string =>
  [gvkText(gvk), namespace || '~X', name || '~N'].join('|');

const compareTexts = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);
