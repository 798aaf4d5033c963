import type { ResourceQuota, ScopedResourceSelectorRequirement } from '@wherry/kubeapi/objects';
import { type Amounts, addAmounts } from '../amounts.ts';
import { claimMeasure } from './claims.ts';
import { deviceClaimMeasure } from './device-claims.ts';
import { countOf, type QuotaMeasure, type QuotaView } from './measure.ts';
import { objectCount } from './object-count.ts';
import { podMeasure } from './pods.ts';
import { serviceMeasure } from './services.ts';

/** By `group/plural`: what has more to it than a number of objects. */
const measures: ReadonlyMap<string, QuotaMeasure<never>> = new Map<string, QuotaMeasure<never>>([
  ['/pods', podMeasure],
  ['/services', serviceMeasure],
  ['/persistentvolumeclaims', claimMeasure],
  ['resource.k8s.io/resourceclaims', deviceClaimMeasure],
]);

/** Not bounded by quotas: what is not stored, and events. */
const unbounded = new Set([
  ...['/bindings', '/events', 'events.k8s.io/events'],
  'authorization.k8s.io/localsubjectaccessreviews',
]);

/** How the objects of a namespaced resource are measured; undefined where quotas have nothing to say. */
export function quotaMeasure(resource: { group: string; plural: string }): QuotaMeasure | undefined {
  const path = `${resource.group}/${resource.plural}`;
  if (unbounded.has(path)) return undefined;
  return (measures.get(path) as QuotaMeasure | undefined) ?? objectCount(resource);
}

/** Whether a measure knows more of its objects than their number. */
export function measuresMore(resource: { group: string; plural: string }): boolean {
  return measures.has(`${resource.group}/${resource.plural}`);
}

/** What an object has to be in to count against a quota, in either form. */
export function scopesOf({ spec }: ResourceQuota): ScopedResourceSelectorRequirement[] {
  return [
    ...(spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' as const })),
    ...(spec?.scopeSelector?.matchExpressions ?? []),
  ];
}

/** Whether an object is in all scopes of a quota. */
export function isInScopes(quota: ResourceQuota, measure: QuotaMeasure, object: object): boolean {
  return scopesOf(quota).every((scope) => measure.isInScope?.(scope, object) === true);
}

/** What `objects` together use of the names that a quota bounds and the measure knows; zero where it is nothing. */
export function usageOf(
  quota: ResourceQuota,
  measure: QuotaMeasure,
  objects: Iterable<object>,
  { nowMs, view }: { nowMs: number; view?: QuotaView | undefined },
): Amounts {
  const names = Object.keys(quota.spec?.hard ?? {}).filter((name) => measure.measures(name, view));
  const used = new Map(names.map((name) => [name, countOf(0)]));
  for (const object of objects) {
    if (!isInScopes(quota, measure, object)) continue;
    addAmounts(used, new Map([...measure.usage(object, nowMs, view)].filter(([name]) => used.has(name))));
  }
  return used;
}
