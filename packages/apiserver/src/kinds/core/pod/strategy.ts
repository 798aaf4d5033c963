import {
  addressWarnings,
  adoptAppArmor,
  type Container,
  hostNameWarnings,
  type Pod,
  podWarnings,
} from '@wherry/kubeapi';
import { computeQualityOfService, isFinished } from '@wherry/podrules';
import { type ApiObject, as } from '../../../objects/api-object.ts';
import { keepMetadata } from '../../../objects/status-fields.ts';
import { type Strategy, specGenerations } from '../../../objects/strategy.ts';
import { mergeLabelKeys } from './label-keys.ts';
import { keepObservedGenerations } from './observed-generations.ts';

const defaultGraceSeconds = 30;

function gracePeriodSeconds(object: ApiObject, requested: number | undefined): number {
  const { spec, status } = as<Pod>(object);
  if (!spec?.nodeName || isFinished({ status })) return 0;
  const seconds = requested ?? spec.terminationGracePeriodSeconds ?? defaultGraceSeconds;
  return seconds < 0 ? 1 : seconds;
}

/** The status subresource leaves the spec alone. */
function prepareStatusUpdate(next: ApiObject, previous: ApiObject): void {
  next.spec = previous.spec!;
  const qosClass = (previous.status as Pod['status'])?.qosClass;
  if (qosClass && !next.status?.['qosClass']) next.status = { ...next.status, qosClass };
  keepObservedGenerations(as<Pod>(next), as<Pod>(previous));
}

/** Nothing but the list of ephemeral containers; one that takes some away stays in the way of the rules, which say so. */
function keepAllButEphemeralContainers(next: ApiObject, previous: ApiObject): void {
  const { ephemeralContainers } = next.spec ?? {};
  const { ephemeralContainers: _, ...kept } = previous.spec ?? {};
  keepMetadata(next, previous, ownedElsewhere);
  next.spec = { ...kept, ...(ephemeralContainers ? { ephemeralContainers } : {}) };
  next.status = previous.status!;
}

/** What of the metadata only a write of the pod itself changes. */
const ownedElsewhere = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const;

/**
 * Nothing but resources, of the pod and of its containers. Containers that were added, removed or renamed stay in the
 * way of the rules, which say so.
 */
function keepAllButResources(next: ApiObject, previous: ApiObject): void {
  const [after, before] = [as<Pod>(next), as<Pod>(previous)];
  keepMetadata(next, previous, ownedElsewhere);
  next.status = previous.status!;
  const [containers, initContainers] = [
    resized(after.spec.containers, before.spec.containers),
    resized(after.spec.initContainers ?? [], before.spec.initContainers ?? []),
  ];
  if (!containers || !initContainers) return;
  const { resources } = after.spec;
  const { resources: _, ...kept } = before.spec;
  const spec: Pod['spec'] = { ...kept, containers };
  if (resources) spec.resources = resources;
  if (before.spec.initContainers) spec.initContainers = initContainers;
  next.spec = spec as unknown as ApiObject['spec'] & {};
}

/** The containers before with the resources after; undefined where they are not the same ones. */
function resized(after: readonly Container[], before: readonly Container[]): Container[] | undefined {
  if (after.length !== before.length || after.some(({ name }, index) => name !== before[index]?.name))
    return undefined;
  return before.map(({ resources: _, resizePolicy: __, ...kept }, index) => {
    const { resources, resizePolicy } = after[index]!;
    return { ...kept, ...(resources ? { resources } : {}), ...(resizePolicy ? { resizePolicy } : {}) };
  });
}

const gated = {
  type: 'PodScheduled',
  status: 'False',
  lastProbeTime: null,
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
};

/** Pods: Pending at birth, deleted with grace. */
export const podStrategy: Strategy = {
  ...specGenerations,
  modernize: (object) => adoptAppArmor(as<Pod>(object)),
  prepareCreate(object, _user, nowText) {
    const pod = as<Pod>(object);
    const isGated = (pod.spec?.schedulingGates ?? []).length > 0;
    const conditions = isGated ? [{ ...gated, lastTransitionTime: nowText }] : undefined;
    const qosClass = computeQualityOfService(pod);
    object.status = { phase: 'Pending', qosClass, ...(conditions ? { conditions } : {}) };
    if (pod.spec) mergeLabelKeys(pod.spec, pod.metadata.labels ?? {});
  },
  prepareStatusUpdate,
  statusKeeps: ['deletionTimestamp', 'ownerReferences'],
  prepareSubresourceUpdate: {
    ephemeralcontainers: keepAllButEphemeralContainers,
    resize: keepAllButResources,
  },
  gracePeriodSeconds,
  warningsOf(object, previous) {
    if (previous) return [];
    const names = hostNameWarnings(object.metadata, "the Pod's hostname");
    return [...names, ...podWarnings(as<Pod>(object))];
  },
  statusWarningsOf: (object) => {
    const { podIPs = [], hostIPs = [] } = as<Pod>(object).status ?? {};
    return [
      ...podIPs.flatMap(({ ip = '' }, index) => addressWarnings(`status.podIPs[${index}].ip`, ip)),
      ...hostIPs.flatMap(({ ip = '' }, index) => addressWarnings(`status.hostIPs[${index}].ip`, ip)),
    ];
  },
  returnsDeleted: true,
};
