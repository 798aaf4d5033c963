/** Exact amounts by resource name, and how they add up. */

import { parseQuantity, type Quantity } from './quantity.ts';

/** Exact amounts by resource name. */
export type Amounts = ReadonlyMap<string, Quantity>;

/** A list of quantities as amounts; throws `QuantityError` on a text that is none, which the API server never stores. */
export function amountsOf(list: Readonly<Record<string, string>> | undefined): Map<string, Quantity> {
  return new Map(Object.entries(list ?? {}).map(([name, text]) => [name, parseQuantity(text)]));
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

/** What sums look at of a container. */
interface Summed {
  restartPolicy?: string;
}

/**
 * What the containers of a pod come to: sidecars count beside the regular containers, other init containers by what they
 * need at their turn if that is more (k8s.io/component-helpers resource.AggregateContainerRequests).
 */
export function sumOfContainers<Container extends Summed>(
  pod: { containers?: readonly Container[] | undefined; initContainers?: readonly Container[] | undefined },
  declared: (container: Container) => Map<string, Quantity>,
): Map<string, Quantity> {
  const total = new Map<string, Quantity>();
  for (const container of pod.containers ?? []) addAmounts(total, declared(container));
  const sidecars = new Map<string, Quantity>();
  const initPeak = new Map<string, Quantity>();
  for (const container of pod.initContainers ?? []) {
    const own = declared(container);
    const isSidecar = container.restartPolicy === 'Always';
    raiseAmounts(initPeak, isSidecar ? addAmounts(sidecars, own) : addAmounts(own, sidecars));
  }
  return raiseAmounts(addAmounts(total, sidecars), initPeak);
}

/** Whether a pod as a whole may declare that resource; others stand in its containers only. */
export function isPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
}
