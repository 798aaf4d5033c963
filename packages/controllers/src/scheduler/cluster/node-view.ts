import type { Node, Taint } from '@wherry/kubeapi/objects';

/** What rules about groups of nodes look at of each. */
export interface NodeView {
  readonly name: string;
  /** Undefined while pods are on a node that is not there. */
  readonly node: Node | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
}
