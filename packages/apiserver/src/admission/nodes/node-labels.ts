import { isKeptFromKubelets } from '@wherry/podrules';

type Labels = Readonly<Record<string, string>> | undefined;

/** Labels that differ between the two and that a kubelet may not set, sorted. */
export function forbiddenLabels(next: Labels, previous: Labels): string[] {
  const after = new Map(Object.entries(next ?? {}));
  const before = new Map(Object.entries(previous ?? {}));
  const keys = new Set([...after.keys(), ...before.keys()]);
  return [...keys].filter((key) => after.get(key) !== before.get(key) && isKeptFromKubelets(key)).sort();
}
