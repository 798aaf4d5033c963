import { type Container, type Pod, parseQuantity } from '@wherry/kubeapi';

/** Amounts by resource name, in thousandths of a unit, so that sums of `100m` stay whole numbers. */
export type Amounts = Map<string, number>;

const known = new WeakMap<Pod, Amounts>();

/** A list of quantities as numbers. Unparsable ones count as 0: the API server does not store them. */
export function amountsOf(list: Record<string, string> | undefined): Amounts {
  const amounts: Amounts = new Map();
  for (const [name, text] of Object.entries(list ?? {})) {
    try {
      amounts.set(name, Number(parseQuantity(text).milliValue()));
    } catch {
      amounts.set(name, 0);
    }
  }
  return amounts;
}

function add(into: Amounts, more: Amounts): Amounts {
  for (const [name, amount] of more) into.set(name, (into.get(name) ?? 0) + amount);
  return into;
}

function raise(into: Amounts, floor: Amounts): Amounts {
  for (const [name, amount] of floor) into.set(name, Math.max(into.get(name) ?? 0, amount));
  return into;
}

const requestsOf = (container: Container) => amountsOf(container.resources?.requests);

/**
 * What a pod asks of its node: the sum of its containers and sidecars, or what an init container needs at its turn if
 * that is more, plus the overhead (upstream: k8s.io/component-helpers resource.PodRequests).
 */
export function podRequests(pod: Pod): Amounts {
  const cached = known.get(pod);
  if (cached) return cached;
  const total: Amounts = new Map();
  for (const container of pod.spec?.containers ?? []) add(total, requestsOf(container));
  const sidecars: Amounts = new Map();
  const initPeak: Amounts = new Map();
  for (const container of pod.spec?.initContainers ?? []) {
    if (container.restartPolicy === 'Always') {
      add(sidecars, requestsOf(container));
      raise(initPeak, sidecars);
    } else {
      raise(initPeak, add(new Map(sidecars), requestsOf(container)));
    }
  }
  raise(add(total, sidecars), initPeak);
  add(total, amountsOf(pod.spec?.overhead));
  known.set(pod, total);
  return total;
}
