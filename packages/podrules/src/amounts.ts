import { type Pod, parseQuantity, type Quantity } from '@wherry/kubeapi/objects';

export {
  type Amounts,
  addAmounts,
  amountsOf,
  isPodLevelResource,
  raiseAmounts,
  sumOfContainers,
} from '@wherry/kubeapi/objects';

/** The two sides of a resource declaration. */
export type ResourceSide = 'requests' | 'limits';

/** What rules look at of a pod; one that has no spec yet asks for nothing. */
export type PodView = Pick<Pod, 'spec' | 'status'>;

/** No amount of anything. */
export const zero: Quantity = parseQuantity('0');

/** An amount as nodes count it: millicores of cpu, whole units of all else, rounded up. */
export function unitsOf(resource: string, amount: Quantity): number {
  return Number(resource === 'cpu' ? amount.milliValue() : amount.value());
}
