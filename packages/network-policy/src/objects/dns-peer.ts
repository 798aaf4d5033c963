import type { NamedPort } from './pod-facts.ts';
import { isSelected, type NamespaceLabels, type Selection } from './selection.ts';

/**
 * The cluster's DNS, where no pod is but the machine itself: policies that allow connections to the pod that it is
 * elsewhere allow them to its ports.
 */
export interface DnsPeer {
  address: string;
  namespace: string;
  /** Labels of the pod that it stands for. */
  labels: Readonly<Record<string, string>>;
  ports: readonly NamedPort[];
}

/** Whether a selection has it. */
export const hasDns = (
  selection: Selection,
  dns: DnsPeer | undefined,
  labels: NamespaceLabels,
): dns is DnsPeer => dns !== undefined && isSelected(selection, dns, labels);
