import { kinds } from '@wherry/client';
import type { PersistentVolumeClaim, Pod, PodTemplateSpec, StatefulSet } from '@wherry/kubeapi/objects';
import { podFromTemplate } from '../ownership/pod-writes.ts';
import { revisionHashLabel } from '../ownership/revision-history.ts';

const podNameLabel = 'statefulset.kubernetes.io/pod-name';
const podIndexLabel = 'apps.kubernetes.io/pod-index';

const ordinalMax = 2 ** 31 - 1;

/** A pod's number within its set, by its name; undefined for a pod that is no member. */
export function ordinalOf({ metadata: set }: StatefulSet, { metadata }: Pod): number | undefined {
  const [, parent, text] = /^(.*)-(0|[1-9]\d*)$/.exec(metadata.name ?? '') ?? [];
  const ordinal = parent === set.name ? Number(text) : Number.POSITIVE_INFINITY;
  return ordinal <= ordinalMax ? ordinal : undefined;
}

/** The number of a set's first pod. */
export const firstOrdinal = ({ spec }: StatefulSet): number => spec.ordinals?.start ?? 0;

/** The name of the claim that a template becomes for one pod. */
function claimName({ metadata }: StatefulSet, template: string, ordinal: number): string {
  return `${template}-${metadata.name}-${ordinal}`;
}

/** Whether a claim's name is that of a pod of the set. */
export function isClaimName({ metadata, spec }: StatefulSet, name: string): boolean {
  const templates = (spec.volumeClaimTemplates ?? []).map((template) => template.metadata.name);
  const start = name.slice(0, name.lastIndexOf('-'));
  return templates.some((template) => start === `${template}-${metadata.name}`);
}

/** The claims that one pod of a set needs. */
export function claimsOf(set: StatefulSet, ordinal: number): PersistentVolumeClaim[] {
  return (set.spec.volumeClaimTemplates ?? []).map((template) => ({
    ...template,
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      ...template.metadata,
      name: claimName(set, template.metadata.name ?? '', ordinal),
      namespace: set.metadata.namespace ?? '',
      labels: { ...template.metadata.labels, ...set.spec.selector.matchLabels },
    },
  }));
}

/** A set's pod of that number, of that revision's template. */
export function statefulPod(
  set: StatefulSet,
  ordinal: number,
  { template, revision }: { template: PodTemplateSpec; revision: string },
): Pod {
  const name = `${set.metadata.name}-${ordinal}`;
  const labels = { [podNameLabel]: name, [podIndexLabel]: String(ordinal), [revisionHashLabel]: revision };
  const pod = podFromTemplate(template, set, kinds.statefulSets, { name, labels });
  const claims = (set.spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name ?? '');
  const claimed = new Set(claims);
  const volumes = [
    ...claims.map((each) => ({
      name: each,
      persistentVolumeClaim: { claimName: claimName(set, each, ordinal) },
    })),
    ...(pod.spec?.volumes ?? []).filter((volume) => !claimed.has(volume.name)),
  ];
  const { serviceName } = set.spec;
  return {
    ...pod,
    spec: { ...pod.spec!, hostname: name, ...(serviceName ? { subdomain: serviceName } : {}), volumes },
  };
}

/** The labels that a pod lacks to be what its name says. */
export function missingLabels({ metadata }: Pod): Record<string, string> | undefined {
  const name = metadata.name ?? '';
  const labels = new Map(Object.entries(metadata.labels ?? {}));
  const ordinal = name.slice(name.lastIndexOf('-') + 1);
  if (labels.get(podNameLabel) === name) return undefined;
  return { [podNameLabel]: name, [podIndexLabel]: ordinal };
}
