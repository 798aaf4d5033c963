import { type Container, type Node, ownValue } from '@wherry/kubeapi';
import {
  amountsOf,
  isFinished,
  isTolerated,
  matchesNodeAffinity,
  portsConflict,
  qualityOfService,
  type Shortage,
  shortages,
  taintKeys,
  untolerated,
} from '@wherry/podrules';
import type { HostSecurity } from '../../ground/host-security.ts';
import type { PressureType } from '../../observation/pressure/pressure-state.ts';
import { type AssignedPod, isCriticalPod, isStaticPod } from '../../pod/assigned-pod.ts';
import { isClaimed } from '../../pod/claimed-resources.ts';
import type { PodVerdict } from '../../reporting/status/pod-status.ts';
import { type FieldFinding, judgePod } from '../fields/judge-pod.ts';
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
  /** Whether a resource is one of device plug-ins: they say themselves whether there is enough of it. */
  isOfPlugIns(resource: string): boolean;
  /** The machine is about to shut down. */
  isShuttingDown: boolean;
}

/** Why this node can't run the pod; undefined when it can. Asked once per pod, in upstream's order of rules. */
export function refusalOf(facts: AdmissionFacts): PodVerdict | undefined {
  const refusal = hostRefusal(facts) ?? resourceRefusal(facts) ?? placeRefusal(facts) ?? fieldRefusal(facts);
  return refusal && verdictOf(...refusal);
}

/** A pod that is not to run here, and why. */
export function verdictOf(reason: string, text: string): PodVerdict {
  return { phase: 'Failed', reason, message: `Pod was rejected: ${text}` };
}

/** What the node has too little of for the pod, where nothing else keeps it out; undefined where something does. */
export function onlyShortages(facts: AdmissionFacts): readonly Shortage[] | undefined {
  const isKeptOut = hostRefusal(facts) ?? placeRefusal(facts) ?? fieldRefusal(facts);
  return isKeptOut ? undefined : shortagesFor(facts);
}

/** Whether the pod is kept out by nothing but the node's object, which others may have changed since it was read. */
export function restsOnNodeObject(facts: AdmissionFacts): boolean {
  return facts.node !== undefined && !!refusalOf(facts) && !refusalOf({ ...facts, node: undefined });
}

/** What keeps the pod out whatever the node has left. */
function hostRefusal(facts: AdmissionFacts): Refusal {
  return pressureRefusal(facts) ?? unsafeSysctl(facts) ?? systemRefusal(facts);
}

/** Where the scheduler would not have put the pod; shortages are told before. */
function placeRefusal(facts: AdmissionFacts): Refusal {
  return selectorRefusal(facts) ?? portRefusal(facts) ?? taintRefusal(facts);
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
    const taint = { key: taintKeys.memoryPressure, effect: 'NoSchedule' } as const;
    if (qualityOfService(pod) !== 'BestEffort' || isTolerated(taint, pod.spec.tolerations)) return undefined;
  }
  return ['Evicted', `The node had condition: [${[...pressures].join(' ')}]. `];
}

function unsafeSysctl({ pod, allowedUnsafeSysctls }: AdmissionFacts): Refusal {
  const text = sysctlRefusal(pod, allowedUnsafeSysctls);
  return text ? ['SysctlForbidden', text] : undefined;
}

const shutdownRefusal: Refusal = ['NodeShutdown', 'Pod was rejected as the node is shutting down.'];

function fieldRefusal({ pod, node, host, isShuttingDown }: AdmissionFacts): Refusal {
  const hasStrictGroups = node?.status?.features?.supplementalGroupsPolicy;
  const { refusals } = judgePod({ pod, ...host, hasStrictGroups });
  const [first] = refusals;
  if (!first) return isShuttingDown ? shutdownRefusal : undefined;
  return [first.reason, refusals.map(({ message }) => message).join('; ')];
}

/** The pod's own label of that name counts, not its selector (pkg/kubelet/lifecycle/predicate.go). */
function systemRefusal({ pod }: AdmissionFacts): Refusal {
  const system = 'linux';
  const label = ownValue(pod.metadata.labels, 'kubernetes.io/os');
  if (label !== undefined && label !== system)
    return [
      'PodOSSelectorNodeLabelDoesNotMatch',
      "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
    ];
  const os = pod.spec.os?.name;
  if (os && os !== system)
    return ['PodOSNotSupported', `Failed to admit pod as the OS field doesn't match node OS`];
  return undefined;
}

function selectorRefusal({ pod, node }: AdmissionFacts): Refusal {
  if (!node?.metadata.labels || matchesNodeAffinity(pod, node)) return undefined;
  return ['NodeAffinity', "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector"];
}

/** Two pods on one host port: the second never gets it as long as the first is there. */
function portRefusal({ pod, others }: AdmissionFacts): Refusal {
  if (!portsConflict(pod, livingBeside(pod, others))) return undefined;
  return [
    'NodePorts',
    "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports",
  ];
}

const livingBeside = (pod: AssignedPod, others: readonly AssignedPod[]) =>
  others.filter((other) => other.metadata.uid !== pod.metadata.uid && !isFinished(other));

function taintRefusal({ pod, node }: AdmissionFacts): Refusal {
  if (isStaticPod(pod)) return undefined;
  if (!untolerated(node?.spec?.taints, pod.spec.tolerations, ['NoExecute'])) return undefined;
  return [
    'TaintToleration',
    "Predicate TaintToleration failed: node(s) had taints that the pod didn't tolerate",
  ];
}

/** What the node says it has goes for resources that somebody else counts; what it does not have at all is left out. */
function shortagesFor(facts: AdmissionFacts): readonly Shortage[] {
  const { pod, others, node, allocatable: own, isOfPlugIns } = facts;
  const allocatable = amountsOf({ ...node?.status?.allocatable, ...own });
  const asking = withoutClaimed(pod);
  const short = shortages(asking, { pods: livingBeside(pod, others), allocatable });
  return short.filter(({ resource }) => allocatable.has(resource) && !isOfPlugIns(resource));
}

/** Without the extended resources that its containers have by a claim (upstream: removeMissingExtendedResources). */
function withoutClaimed(pod: AssignedPod): AssignedPod {
  if (!pod.status?.extendedResourceClaimStatus) return pod;
  const strip = (container: Container): Container => {
    const requests = Object.entries(container.resources?.requests ?? {});
    const left = requests.filter(([resource]) => !isClaimed(pod, container, resource));
    return { ...container, resources: { ...container.resources, requests: Object.fromEntries(left) } };
  };
  const { containers, initContainers } = pod.spec;
  const init = initContainers ? { initContainers: initContainers.map(strip) } : {};
  return { ...pod, spec: { ...pod.spec, containers: containers.map(strip), ...init } };
}

function resourceRefusal(facts: AdmissionFacts): Refusal {
  const [short] = shortagesFor(facts);
  if (!short) return undefined;
  const { resource, requested, used, capacity } = short;
  const text = `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`;
  return [`OutOf${resource}`, text];
}
