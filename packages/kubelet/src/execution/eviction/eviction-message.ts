import { ownValue } from '@wherry/kubeapi';
import { amountOf, binaryAmount } from '../../pod/amount.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { PodUsage } from './pod-usage.ts';
import type { StarvedResource } from './rank-pods.ts';

/** Why a pod goes. */
export interface EvictionFacts {
  pod: AssignedPod;
  resource: StarvedResource;
  /** Least that must be left, and what is. */
  thresholdAmount: number;
  available: number;
  usage: PodUsage | undefined;
}

/** What status and event of an evicted pod say. */
export interface EvictionWords {
  message: string;
  /** Of the event. */
  annotations: Record<string, string>;
}

/** Upstream's words and annotation keys, which scripts look for (pkg/kubelet/eviction/helpers.go, evictionMessage). */
export function evictionWords(facts: EvictionFacts): EvictionWords {
  const { pod, resource, thresholdAmount, available, usage } = facts;
  const isCount = resource === 'inodes' || resource === 'pids';
  const amount = (value: number) => (isCount ? String(Math.floor(value)) : binaryAmount(Math.floor(value)));
  const head = `The node was low on resource: ${resource}. Threshold quantity: ${amount(thresholdAmount)}, available: ${amount(available)}. `;
  if (!usage) return { message: head, annotations: {} };
  const ofPod = resource === 'memory' ? podOffence(pod, usage) : undefined;
  const offences = containerOffences(pod, resource, usage);
  const sentences = [...(ofPod ? [ofPod] : []), ...offences].map(
    ({ what, taken, requested }) =>
      `${what} was using ${taken}, request is ${requested}, has larger consumption of ${resource}. `,
  );
  return {
    message: head + sentences.join(''),
    annotations: {
      ...(ofPod ? { offending_pod: pod.metadata.name, offending_pod_usage: ofPod.taken } : {}),
      offending_containers: offences.map(({ name }) => name).join(','),
      offending_containers_usage: offences.map(({ taken }) => taken).join(','),
      starved_resource: resource,
    },
  };
}

interface Offence {
  what: string;
  name: string;
  taken: string;
  requested: string;
}

/** A pod that asked for memory as a whole is named with it. */
function podOffence(pod: AssignedPod, { memoryBytes }: PodUsage): Offence | undefined {
  const { name } = pod.metadata;
  const requested = ownValue(pod.spec.resources?.requests, 'memory');
  if (requested === undefined) return undefined;
  return { what: `Pod ${name}`, name, taken: binaryAmount(memoryBytes), requested };
}

/** Ephemeral containers can't ask for anything, and are not blamed. */
function containerOffences(pod: AssignedPod, resource: StarvedResource, usage: PodUsage): Offence[] {
  return [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].flatMap(({ name, resources }) => {
    const own = usage.containers.find((candidate) => candidate.name === name);
    const requested = ownValue(resources?.requests, resource) ?? '0';
    const bytes = resource === 'memory' ? own?.memoryBytes : own && own.layer.bytes + own.logs.bytes;
    const isMeasured = resource === 'memory' || resource === 'ephemeral-storage';
    if (!isMeasured || bytes === undefined || bytes <= amountOf(requested)) return [];
    return [{ what: `Container ${name}`, name, taken: binaryAmount(bytes), requested }];
  });
}
