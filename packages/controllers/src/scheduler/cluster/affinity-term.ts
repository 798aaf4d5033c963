import { type LabelMatcher, matcherFrom, type Pod, type PodAffinityTerm } from '@wherry/kubeapi/objects';

/** A term of a pod's affinity or anti-affinity to other pods, ready to be asked. */
export interface AffinityTerm {
  topologyKey: string;
  weight: number;
  namespaces: ReadonlySet<string>;
  /** Namespaces by their labels, beside those by name. */
  namespaceSelector: LabelMatcher | undefined;
  selector: LabelMatcher;
}

/** What a pod wants of pods near it. */
export interface PodTerms {
  requiredAffinity: readonly AffinityTerm[];
  requiredAntiAffinity: readonly AffinityTerm[];
  preferredAffinity: readonly AffinityTerm[];
  preferredAntiAffinity: readonly AffinityTerm[];
}

/** What a term looks at of a pod. */
export interface Labelled {
  namespace: string;
  labels: Readonly<Record<string, string>>;
}

const none: PodTerms = {
  requiredAffinity: [],
  requiredAntiAffinity: [],
  preferredAffinity: [],
  preferredAntiAffinity: [],
};

/** The terms of a pod; those that name no namespace mean the pod's own. */
export function termsOf({ metadata, spec }: Pod): PodTerms {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  if (!podAffinity && !podAntiAffinity) return none;
  const read = (term: PodAffinityTerm, weight = 1): AffinityTerm => {
    const { topologyKey, labelSelector, namespaceSelector, namespaces = [] } = term;
    const isOwn = namespaces.length === 0 && !namespaceSelector;
    return {
      ...{ topologyKey, weight, selector: matcherFrom(labelSelector) },
      namespaces: new Set(isOwn ? [metadata.namespace ?? ''] : namespaces),
      namespaceSelector: namespaceSelector && matcherFrom(namespaceSelector),
    };
  };
  const required = (terms: typeof podAffinity) =>
    (terms?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map((term) => read(term));
  const preferred = (terms: typeof podAffinity) =>
    (terms?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm, weight }) =>
      read(podAffinityTerm, weight),
    );
  return {
    requiredAffinity: required(podAffinity),
    requiredAntiAffinity: required(podAntiAffinity),
    preferredAffinity: preferred(podAffinity),
    preferredAntiAffinity: preferred(podAntiAffinity),
  };
}

/** Whether a term means that pod; `namespaceLabels` are those of the pod's namespace. */
export function termMatches(
  { namespaces, namespaceSelector, selector }: AffinityTerm,
  { namespace, labels }: Labelled,
  namespaceLabels: Readonly<Record<string, string>>,
): boolean {
  if (!namespaces.has(namespace) && !namespaceSelector?.matches(namespaceLabels)) return false;
  return selector.matches(labels);
}
