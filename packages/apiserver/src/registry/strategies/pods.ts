import type { Container, Pod, PodSpec } from '@wherry/kubeapi';
import { type ApiObject, as } from '../api-object.ts';
import type { Strategy } from '../strategy.ts';

const defaultGraceSeconds = 30;

/** `Guaranteed`, `Burstable` or `BestEffort`, from cpu and memory of the containers (upstream: helper/qos). */
export function qosClassOf(spec: PodSpec): string {
  const containers: Container[] = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  let isGuaranteed = true;
  let hasAny = false;
  for (const { resources } of containers) {
    for (const name of ['cpu', 'memory'] as const) {
      const request = resources?.requests?.[name];
      const limit = resources?.limits?.[name];
      if (request !== undefined || limit !== undefined) hasAny = true;
      if (limit === undefined || (request !== undefined && request !== limit)) isGuaranteed = false;
    }
  }
  if (!hasAny) return 'BestEffort';
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}

function gracePeriodSeconds(object: ApiObject, requested: number | undefined): number {
  const { spec, status } = as<Pod>(object);
  const isOver = status?.phase === 'Failed' || status?.phase === 'Succeeded';
  if (!spec?.nodeName || isOver) return 0;
  const seconds = requested ?? spec.terminationGracePeriodSeconds ?? defaultGraceSeconds;
  return seconds < 0 ? 1 : seconds;
}

/** The status subresource leaves spec and ownership alone, and can't call off a deletion. */
function prepareStatusUpdate(next: ApiObject, previous: ApiObject): void {
  next.spec = previous.spec!;
  next.metadata = { ...next.metadata, ownerReferences: previous.metadata.ownerReferences };
  if (!previous.metadata.ownerReferences) delete next.metadata.ownerReferences;
  const qosClass = (previous.status as Pod['status'])?.qosClass;
  if (qosClass) next.status = { ...next.status, qosClass };
}

/** Nothing but the list of ephemeral containers. */
function keepAllButEphemeralContainers(next: ApiObject, previous: ApiObject): void {
  const { ephemeralContainers } = next.spec ?? {};
  next.spec = { ...previous.spec, ...(ephemeralContainers ? { ephemeralContainers } : {}) };
  next.status = previous.status!;
}

/** Pods: Pending at birth, deleted with grace. */
export const podStrategy: Strategy = {
  prepareCreate(object) {
    const { spec } = as<Pod>(object);
    object.status = { phase: 'Pending', qosClass: qosClassOf(spec!) };
  },
  prepareStatusUpdate,
  prepareSubresourceUpdate: { ephemeralcontainers: keepAllButEphemeralContainers },
  gracePeriodSeconds,
  returnsDeleted: true,
};
