/** Computed defaults of what a pod declares as a whole. */

import { items, object } from '../../../../defaults/parts.ts';
import { isJsonObject, type JsonObject } from '../../../../json/json-value.ts';
import { amountsOf, isPodLevelResource, sumOfContainers } from '../../../../values/amounts.ts';
import type { Quantity } from '../../../../values/quantity.ts';

type Side = 'requests' | 'limits';

const isHugePages = (name: string) => name.startsWith('hugepages-');

/**
 * Of a pod that declares some of its resources as a whole: limits of huge pages are those of its containers together, and
 * requests beside limits are those of its containers, or the limit where these ask for nothing
 * (pkg/apis/core/v1/defaults.go: defaultHugePagePodLimits, defaultPodRequests).
 */
export function defaultPodResources(spec: JsonObject): void {
  const { resources } = spec;
  if (!isJsonObject(resources)) return;
  const [limits, requests] = [listOf(resources, 'limits'), listOf(resources, 'requests')];
  if (limits.size + requests.size === 0) return;
  for (const [name, amount] of containerSum(spec, 'limits')) {
    if (isHugePages(name) && !requests.has(name) && !limits.has(name)) limits.set(name, String(amount));
  }
  if (limits.size === 0) return;
  resources['limits'] = Object.fromEntries(limits);
  for (const [name, amount] of containerSum(spec, 'requests')) {
    if (isPodLevelResource(name) && !isHugePages(name) && !requests.has(name))
      requests.set(name, String(amount));
  }
  for (const [name, limit] of limits) {
    if (isPodLevelResource(name) && !requests.has(name)) requests.set(name, limit);
  }
  if (requests.size > 0) resources['requests'] = Object.fromEntries(requests);
}

function listOf(resources: JsonObject, side: Side): Map<string, string> {
  return new Map(Object.entries(object(resources[side])) as [string, string][]);
}

function containerSum(spec: JsonObject, side: Side): Map<string, Quantity> {
  const [containers, initContainers] = [items(spec['containers']), items(spec['initContainers'])];
  return sumOfContainers({ containers, initContainers }, (container) =>
    amountsOf(Object.fromEntries(listOf(object(container['resources']), side))),
  );
}
