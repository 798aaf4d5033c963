import type { Pod } from '@wherry/kubeapi';
import { reasonText, violations } from './evaluate.ts';
import { type LevelVersion, policyText } from './policy.ts';

/**
 * Warnings about pods of a namespace that a new enforced level would not let in, which stay as they are. One pod of
 * each controller is looked at before the others. `isOver` tells that there is no more time.
 */
export function existingPodWarnings(
  pods: readonly Pod[],
  enforce: LevelVersion,
  { namespace, podsMax, isOver }: { namespace: string; podsMax: number; isOver(): boolean },
): string[] {
  const ordered = oneOfEachFirst(pods);
  const found = new Map<string, string[]>();
  let checked = 0;
  for (const pod of ordered.slice(0, podsMax)) {
    checked += 1;
    const reasons = reasonText(violations(enforce, pod));
    if (reasons !== '') found.set(reasons, [...(found.get(reasons) ?? []), pod.metadata?.name ?? '']);
    if (isOver()) break;
  }
  const partly = `new PodSecurity enforce level only checked against the first ${checked} of ${ordered.length} existing pods`;
  const head = `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${policyText(enforce)}"`;
  return [
    ...(checked < ordered.length ? [partly] : []),
    ...(found.size > 0 ? [head] : []),
    ...[...found].map(([reasons, names]) => `${namesText(names)}: ${reasons}`).sort(),
  ];
}

function namesText(names: readonly string[]): string {
  const [first = ''] = [...names].sort();
  if (names.length === 1) return first;
  return names.length === 2 ? `${first} (and 1 other pod)` : `${first} (and ${names.length - 1} other pods)`;
}

function oneOfEachFirst(pods: readonly Pod[]): Pod[] {
  const seen = new Set<string>();
  const later: Pod[] = [];
  const first = pods.filter((pod) => {
    const uid = pod.metadata?.ownerReferences?.find(({ controller }) => controller)?.uid;
    if (uid === undefined) return true;
    if (seen.has(uid)) {
      later.push(pod);
      return false;
    }
    seen.add(uid);
    return true;
  });
  return [...first, ...later];
}
