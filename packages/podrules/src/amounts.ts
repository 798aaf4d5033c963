import { type Pod, parseQuantity, type Quantity } from '@wherry/kubeapi/objects';

/** Exact amounts by resource name. */
export type Amounts = ReadonlyMap<string, Quantity>;

/** The two sides of a resource declaration. */
export type ResourceSide = 'requests' | 'limits';

/** What rules look at of a pod; one that has no spec yet asks for nothing. */
export type PodView = Pick<Pod, 'spec' | 'status'>;

/** No amount of anything. */
export const zero: Quantity = parseQuantity('0');

/** A list of quantities as amounts; throws `QuantityError` on a text that is none, which the API server never stores. */
export function amountsOf(list: Readonly<Record<string, string>> | undefined): Map<string, Quantity> {
  return new Map(Object.entries(list ?? {}).map(([name, text]) => [name, parseQuantity(text)]));
}

/** An amount as nodes count it: millicores of cpu, whole units of all else, rounded up. */
export function unitsOf(resource: string, amount: Quantity): number {
  return Number(resource === 'cpu' ? amount.milliValue() : amount.value());
}

/** Adds each amount of `more` to what `into` has. */
export function addAmounts(into: Map<string, Quantity>, more: Amounts): Map<string, Quantity> {
  for (const [name, amount] of more) {
    const known = into.get(name);
    into.set(name, known ? known.add(amount) : amount);
  }
  return into;
}

/** Raises each amount of `into` to that of `floor` where it is less. */
export function raiseAmounts(into: Map<string, Quantity>, floor: Amounts): Map<string, Quantity> {
  for (const [name, amount] of floor) {
    const known = into.get(name);
    if (!known || amount.cmp(known) > 0) into.set(name, amount);
  }
  return into;
}
