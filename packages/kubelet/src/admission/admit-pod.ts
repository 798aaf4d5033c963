import { type Node, ownValue, type Taint } from '@wherry/kubeapi';
import { type FieldFinding, judgePod } from '../fields/judge-pod.ts';
import type { HostSecurity } from '../node/host-security.ts';
import type { PressureType } from '../node/pressure-conditions.ts';
import { amountOf } from '../pod/amount.ts';
import { type AssignedPod, isCriticalPod, isStaticPod, isTerminalPhase } from '../pod/assigned-pod.ts';
import { podAmount } from '../pod/pod-resources.ts';
import { qualityOfService } from '../pod/quality-of-service.ts';
import type { PodVerdict } from '../workers/pod-worker.ts';
import { sysctlRefusal } from './admit-sysctls.ts';

/** What a pod is admitted against. */
export interface AdmissionFacts {
  pod: AssignedPod;
  /** Pods already admitted and not finished. */
  others: readonly AssignedPod[];
  allocatable: Readonly<Record<string, string>>;
  node: Node | undefined;
  allowedUnsafeSysctls: readonly string[];
  host: HostSecurity;
  /** What the node is short of. */
  pressures: ReadonlySet<PressureType>;
}

/** Why this node can't run the pod; undefined when it can. Asked once per pod, in upstream's order of rules. */
export function refusalOf(facts: AdmissionFacts): PodVerdict | undefined {
  const refusal =
    pressureRefusal(facts) ??
    unsafeSysctl(facts) ??
    selectorRefusal(facts) ??
    taintRefusal(facts) ??
    resourceRefusal(facts) ??
    fieldRefusal(facts);
  if (!refusal) return undefined;
  const [reason, text] = refusal;
  return { phase: 'Failed', reason, message: `Pod was rejected: ${text}` };
}

/** What an admitted pod asks for that this node will not do, without being refused for it. */
export function fieldWarnings(pod: AssignedPod, host: HostSecurity): readonly FieldFinding[] {
  return judgePod({ pod, ...host, hasStrictGroups: undefined }).warnings;
}

type Refusal = [reason: string, text: string] | undefined;

/**
 * Memory pressure alone keeps out those who ask for nothing, the others all but critical pods; a pod that had begun before
 * this kubelet started is left alone (pkg/kubelet/eviction/eviction_manager.go).
 */
function pressureRefusal({ pod, pressures }: AdmissionFacts): Refusal {
  if (pressures.size === 0 || isCriticalPod(pod) || pod.status?.startTime) return undefined;
  if (pressures.size === 1 && pressures.has('MemoryPressure')) {
    const taint = { key: 'node.kubernetes.io/memory-pressure', effect: 'NoSchedule' } as const;
    if (qualityOfService(pod) !== 'BestEffort' || isTolerated(pod, taint)) return undefined;
  }
  return ['Evicted', `The node had condition: [${[...pressures].join(' ')}]. `];
}

function unsafeSysctl({ pod, allowedUnsafeSysctls }: AdmissionFacts): Refusal {
  const text = sysctlRefusal(pod, allowedUnsafeSysctls);
  return text ? ['SysctlForbidden', text] : undefined;
}

function fieldRefusal({ pod, node, host }: AdmissionFacts): Refusal {
  const hasStrictGroups = node?.status?.features?.supplementalGroupsPolicy;
  const { refusals } = judgePod({ pod, ...host, hasStrictGroups });
  const [first] = refusals;
  if (!first) return undefined;
  return [first.reason, refusals.map(({ message }) => message).join('; ')];
}

function selectorRefusal({ pod, node }: AdmissionFacts): Refusal {
  const os = pod.spec.os?.name;
  if (os && os !== 'linux')
    return ['PodOSNotSupported', `Failed to admit pod as the OS field doesn't match node OS`];
  const labels = node?.metadata.labels;
  const selector = Object.entries(pod.spec.nodeSelector ?? {});
  if (!labels || selector.every(([key, value]) => ownValue(labels, key) === value)) return undefined;
  return ['NodeAffinity', "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector"];
}

function taintRefusal({ pod, node }: AdmissionFacts): Refusal {
  if (isStaticPod(pod)) return undefined;
  const taints = (node?.spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
  const untolerated = taints.find((taint) => !isTolerated(pod, taint));
  if (!untolerated) return undefined;
  return [
    'TaintToleration',
    `Predicate TaintToleration failed: node had untolerated taint {${untolerated.key}: ${untolerated.value ?? ''}}`,
  ];
}

function isTolerated(pod: AssignedPod, taint: Taint): boolean {
  return (pod.spec.tolerations ?? []).some(
    ({ key, operator = 'Equal', value, effect }) =>
      (!effect || effect === taint.effect) &&
      (!key ? operator === 'Exists' : key === taint.key) &&
      (operator === 'Exists' || (value ?? '') === (taint.value ?? '')),
  );
}

/** What the node says it has goes for resources that somebody else counts; what it does not have at all is left out. */
function resourceRefusal({ pod, others, node, allocatable: own }: AdmissionFacts): Refusal {
  const allocatable: Readonly<Record<string, string>> = { ...node?.status?.allocatable, ...own };
  const running = others.filter(
    (other) => other.metadata.uid !== pod.metadata.uid && !isTerminalPhase(other.status?.phase),
  );
  const podsMax = Number(allocatable['pods'] ?? Number.POSITIVE_INFINITY);
  if (running.length >= podsMax) return lack('pods', 1, running.length, podsMax);
  for (const resource of Object.keys(allocatable).filter((name) => name !== 'pods')) {
    const scale = resource === 'cpu' ? 1_000 : 1;
    const requested = Math.ceil(podAmount(pod, 'requests', resource) * scale);
    if (requested === 0) continue;
    const used = running.reduce(
      (sum, other) => sum + Math.ceil(podAmount(other, 'requests', resource) * scale),
      0,
    );
    const capacity = Math.floor(amountOf(ownValue(allocatable, resource) ?? '0') * scale);
    if (used + requested > capacity) return lack(resource, requested, used, capacity);
  }
  return undefined;
}

function lack(resource: string, requested: number, used: number, capacity: number): Refusal {
  const text = `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`;
  return [`OutOf${resource}`, text];
}
