import { parseQuantity, type ResourceQuota } from '@wherry/kubeapi';
import { type Amounts, amountsOf, isInScopes, type QuotaMeasure, type QuotaView } from '@wherry/podrules';
import { type AdmissionRequest, refused } from '../admission.ts';

/** What a write adds to what a quota counts as used. */
export interface Charge {
  quota: ResourceQuota;
  /** Above zero, and only of what the quota bounds. */
  more: Amounts;
}

/** Zero. */
export const noAmount = parseQuantity('0');

/** What charges are worked out from. */
export interface ChargeMeans {
  /** Of the namespace. */
  quotas: Iterable<ResourceQuota>;
  nowMs: number;
  view?: QuotaView | undefined;
}

/**
 * What a write takes of the quotas of its namespace. Throws 403 when the object does not say what a quota needs to know,
 * and while nobody knows what is used (upstream: apiserver pkg/admission/plugin/resourcequota, CheckRequest).
 */
export function chargesOf(
  request: AdmissionRequest,
  measure: QuotaMeasure,
  { quotas, nowMs, view }: ChargeMeans,
): Charge[] {
  const { object, previous } = request;
  const concerned = [...quotas].filter((quota) => concerns(quota, { measure, view }, object!));
  for (const quota of concerned) requireKnown(quota, { measure, view }, request);
  if (concerned.length === 0) return [];
  const usage = measure.usage(object!, nowMs, view);
  const negative = [...usage].filter(([, amount]) => amount.sign() < 0).map(([name]) => name);
  if (negative.length > 0)
    throw refused(request, `quota usage is negative for resource(s): ${listOf(negative)}`);
  const growth = previous ? growthOf(usage, measure.usage(previous, nowMs, view)) : usage;
  return concerned
    .map((quota) => {
      const isCounted = previous && isInScopes(quota, measure, previous);
      const added = [...(isCounted ? growth : usage)];
      const hard = quota.status?.hard ?? {};
      const more = new Map(added.filter(([name, amount]) => Object.hasOwn(hard, name) && amount.sign() > 0));
      return { quota, more };
    })
    .filter(({ more }) => more.size > 0);
}

/** What is used with the charge. Throws 403 when that is more than there may be, unless it is `allowsMore`. */
export function usedWith(
  { quota, more }: Charge,
  request: AdmissionRequest,
  { allowsMore }: { allowsMore: boolean },
): Record<string, string> {
  const { hard, used } = quota.status ?? {};
  const before = amountsOf(used);
  const after = new Map(
    [...more].map(([name, amount]) => [name, (before.get(name) ?? noAmount).add(amount)]),
  );
  const bounds = amountsOf(hard);
  const exceeded = [...after].filter(([name, amount]) => amount.cmp(bounds.get(name) ?? amount) > 0);
  if (exceeded.length > 0 && !allowsMore) {
    const told = (amounts: Amounts) =>
      exceeded
        .map(([name]) => `${name}=${amounts.get(name) ?? noAmount}`)
        .sort()
        .join(',');
    const sums = `requested: ${told(more)}, used: ${told(before)}, limited: ${told(bounds)}`;
    throw refused(request, `exceeded quota: ${quota.metadata.name}, ${sums}`);
  }
  return { ...used, ...Object.fromEntries([...after].map(([name, amount]) => [name, amount.toString()])) };
}

interface Means {
  measure: QuotaMeasure;
  view: QuotaView | undefined;
}

/** Names of what a quota bounds of the objects. What its controller has taken up counts, not what is asked of it. */
export function boundNames({ status }: ResourceQuota, { measure, view }: Means): string[] {
  return Object.keys(status?.hard ?? {}).filter((name) => measure.measures(name, view));
}

/** Whether an object counts against a quota. */
export function concerns(quota: ResourceQuota, means: Means, object: object): boolean {
  return boundNames(quota, means).length > 0 && isInScopes(quota, means.measure, object);
}

function requireKnown(quota: ResourceQuota, means: Means, request: AdmissionRequest): void {
  const { measure } = means;
  const names = boundNames(quota, means);
  const { name = '' } = quota.metadata;
  const missing = measure.missing?.(names, request.object!);
  if (missing !== undefined) throw refused(request, `failed quota: ${name}: ${missing}`);
  const isKnown = names.every((each) => Object.hasOwn(quota.status?.used ?? {}, each));
  if (!isKnown) throw refused(request, `status unknown for quota: ${name}, resources: ${listOf(names)}`);
}

function growthOf(usage: Amounts, before: Amounts): Amounts {
  return new Map([...usage].map(([name, amount]) => [name, amount.sub(before.get(name) ?? noAmount)]));
}

const listOf = (names: readonly string[]) => names.toSorted().join(',');
