/** Why there is no node for a pod, in the form that users of kube-scheduler know. */
export interface Failure {
  nodeCount: number;
  /** What rules out all nodes at once; then reasons by node are not told. */
  nowhere?: string | undefined;
  /** The reasons of each node that was looked at. */
  reasons: Iterable<readonly string[]>;
  /** The reason of the nodes that were not. */
  otherwise?: string | undefined;
}

/** One sentence for a failure: reasons with the number of nodes that have them. */
export function explain({ nodeCount, nowhere, reasons, otherwise }: Failure): string {
  const start = `0/${nodeCount} nodes are available:`;
  if (nowhere !== undefined) return `${start} ${nowhere}.`;
  const counts = new Map<string, number>();
  let known = 0;
  for (const each of reasons) {
    known += 1;
    for (const reason of each) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  if (otherwise !== undefined && known < nodeCount)
    counts.set(otherwise, (counts.get(otherwise) ?? 0) + nodeCount - known);
  const parts = [...counts].map(([reason, count]) => `${count} ${reason}`).sort();
  return parts.length === 0 ? start : `${start} ${parts.join(', ')}.`;
}
