import { type LabelMatcher, type LabelSelector, matcherFrom } from '@wherry/kubeapi';

/** Pods by their labels: those of one namespace, or those of namespaces by theirs. */
export interface Selection {
  /** By which selections are the same. */
  id: string;
  /** Undefined where `namespaces` says which. */
  namespace: string | undefined;
  namespaces: LabelMatcher | undefined;
  pods: LabelMatcher;
}

const everything: LabelSelector = {};

/** What a selector of pods means, and one of namespaces where there is one, in an object of that namespace. */
export function selectionOf(
  namespace: string,
  podSelector: LabelSelector = everything,
  namespaceSelector?: LabelSelector,
): Selection {
  const pods = matcherFrom(podSelector);
  const namespaces = namespaceSelector && matcherFrom(namespaceSelector);
  const scope = namespaces ? requirementsOf(namespaces) : namespace;
  return {
    id: JSON.stringify([scope, requirementsOf(pods)]),
    namespace: namespaces ? undefined : namespace,
    namespaces,
    pods,
  };
}

/** In one order, whichever they were written in. */
const requirementsOf = ({ requirements }: LabelMatcher) =>
  requirements
    .map(({ key, operator, values }) => JSON.stringify([key, operator, [...new Set(values)].sort()]))
    .sort();

/** Labels of a namespace; undefined while it is not known. */
export type NamespaceLabels = Readonly<Record<string, string>> | undefined;

/** Whether it has these pods. A namespace that is not known is in no selection by labels. */
export function isSelected(
  { namespace, namespaces, pods }: Selection,
  pod: { namespace: string; labels: Readonly<Record<string, string>> },
  labels: NamespaceLabels,
): boolean {
  const isInside = namespaces
    ? labels !== undefined && namespaces.matches(labels)
    : namespace === pod.namespace;
  return isInside && pods.matches(pod.labels);
}
