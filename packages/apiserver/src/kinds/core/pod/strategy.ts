import type { Pod } from '@wherry/kubeapi';
import { computeQualityOfService, isFinished } from '@wherry/podrules';
import { type ApiObject, as } from '../../../registry/api-object.ts';
import { type Strategy, specGenerations } from '../../../registry/strategy.ts';

const defaultGraceSeconds = 30;

function gracePeriodSeconds(object: ApiObject, requested: number | undefined): number {
  const { spec, status } = as<Pod>(object);
  if (!spec?.nodeName || isFinished({ status })) return 0;
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
  ...specGenerations,
  prepareCreate(object) {
    object.status = { phase: 'Pending', qosClass: computeQualityOfService(as<Pod>(object)) };
  },
  prepareStatusUpdate,
  prepareSubresourceUpdate: { ephemeralcontainers: keepAllButEphemeralContainers },
  gracePeriodSeconds,
  returnsDeleted: true,
};
