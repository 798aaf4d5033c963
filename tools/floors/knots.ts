/** What a node points to. */
export type Arrows = ReadonlyMap<string, Iterable<string>>;

/**
 * The nodes of a graph from the bottom up, those that lie on a circle together in one group: a group of one is a node
 * by itself. What a group points to stands before it (Tarjan).
 */
export function groups(arrows: Arrows): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (node: string): number => {
    const at = order.size;
    order.set(node, at);
    open.push(node);
    let low = at;
    for (const next of arrows.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, lowest.get(next) ?? order.get(next) ?? at);
    }
    lowest.set(node, low);
    if (low === at) found.push(open.splice(open.indexOf(node)).sort());
    return low;
  };
  for (const node of [...arrows.keys()].sort()) if (!order.has(node)) visit(node);
  return found;
}

/** A shortest way from `start` back to itself, which begins and ends with it; empty when there is none. */
export function circleThrough(start: string, arrows: Arrows): string[] {
  const ways = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const next of arrows.get(way.at(-1) ?? start) ?? []) {
      if (next === start) return [...way, start];
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return [];
}
