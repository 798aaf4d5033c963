import type { Container } from '@wherry/kubeapi';
import { isSidecar } from '@wherry/podrules';
import { amountOf, isHugePages } from '../../pod/amount.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';

/** Bytes by kind: `memory`, `hugepages-<size>`. */
export type MemoryAmounts = ReadonlyMap<string, number>;

/** What a container asks for. Throws for an amount that is no whole number of bytes. */
export function askedMemory({ resources }: Container): MemoryAmounts {
  const asked = Object.entries(resources?.requests ?? {}).filter(
    ([name]) => name === 'memory' || isHugePages(name),
  );
  return new Map(
    asked.map(([name, text]) => {
      const bytes = amountOf(text);
      if (!Number.isSafeInteger(bytes)) throw new Error(`${name} of ${text} is no whole number of bytes`);
      return [name, bytes];
    }),
  );
}

/** The same for a pod: what runs side by side together, or what one init container needs at its turn if that is more. */
export function askedMemoryOfPod({ spec }: AssignedPod): MemoryAmounts {
  const ofSidecars = new Map<string, number>();
  const atStart = new Map<string, number>();
  const later = new Map<string, number>();
  const of = (amounts: Map<string, number>, name: string) => amounts.get(name) ?? 0;
  for (const container of spec.initContainers ?? []) {
    for (const [name, bytes] of askedMemory(container)) {
      const beside = of(ofSidecars, name) + bytes;
      if (isSidecar(container)) ofSidecars.set(name, beside);
      else atStart.set(name, Math.max(of(atStart, name), beside));
    }
  }
  for (const container of spec.containers)
    for (const [name, bytes] of askedMemory(container)) later.set(name, of(later, name) + bytes);
  // As upstream, what only init containers ask for does not count.
  return new Map(
    [...later].map(([name, bytes]) => [name, Math.max(of(atStart, name), bytes + of(ofSidecars, name))]),
  );
}
