import { PodSandboxState } from '@wherry/cri';
import {
  type Container,
  type ContainerStatus,
  ownValue,
  type PodPhase,
  type PodStatus,
  type ResourceRequirements,
} from '@wherry/kubeapi';
import { isTerminalPhase, podAmounts, qualityOfService } from '@wherry/podrules';
import type { ResizeCondition } from '../../board/resize-states.ts';
import { isIPv6, oneOfEachFamily } from '../../observation/pod-ips.ts';
import { containerNameOf, type PodRecord } from '../../observation/pod-record.ts';
import { sandboxChange } from '../../observation/sandbox-change.ts';
import { type AssignedPod, isHostNetwork } from '../../pod/assigned-pod.ts';
import { containersOf } from '../../pod/containers.ts';
import { podConditions, stampConditions } from './conditions.ts';
import { apiTime, type ContainerStatusContext, containerStatus } from './container-statuses.ts';
import { podPhase, settledPhase } from './phase.ts';
import { isConditionTrue } from './pod-condition.ts';
import { type ContainerLists, stoppedStatuses } from './stopped-statuses.ts';
import { mayRestartWhole, wholeRestartOf } from './whole-restart.ts';

/** What a pod's API status is computed from. */
export interface PodStatusContext extends Omit<ContainerStatusContext, 'previous'> {
  /** The status as last written or read. */
  previous: PodStatus | undefined;
  hostIps: readonly string[];
  nowMs: number;
  /** Devices of a regular container and how they are. */
  deviceStatuses?(container: Container): NonNullable<ContainerStatus['allocatedResourcesStatus']>;
  /** Changes of its resources that wait or are on their way. */
  resizes?: readonly ResizeCondition[];
  /** Resources of the pod as a whole that are in force, where it declares any. */
  actuated?: ResourceRequirements | undefined;
  /** The pod's containers are not to run any more. */
  isTerminating: boolean;
  /** A phase decided elsewhere, with its reason: rejected, evicted, past its deadline. */
  verdict?: PodVerdict | undefined;
}

/** A final word on a pod that its containers did not say themselves. */
export interface PodVerdict {
  phase: 'Failed';
  reason: string;
  message: string;
  /** The node needs what the pod takes: the condition DisruptionTarget says so. */
  isDisruption?: boolean;
  /** What that condition says where it is not {@link message}. */
  disruptionMessage?: string;
  /** It was made to end, and Succeeded counts where all of its containers did (upstream since 1.27, its issue 118310). */
  yieldsToSuccess?: boolean;
}

/** What others gave the pod, or what its containers say where that counts more. */
const fateOf = ({ verdict }: PodStatusContext, computed: PodPhase) =>
  verdict?.yieldsToSuccess && computed === 'Succeeded' ? undefined : verdict;

const disruptionOf = ({ isDisruption, disruptionMessage, message }: PodVerdict) =>
  isDisruption ? (disruptionMessage ?? message) : undefined;

/** The whole status of a pod, as the API server should have it. */
export function podStatus(context: PodStatusContext): PodStatus {
  const { pod, previous, nowMs } = context;
  const restart = wholeRestartOf(pod, context.record, previous);
  const isRestartingWhole = restart !== 'none';
  // What has to end waits for nothing any more.
  const ending = context.isTerminating ? { waitingReason: () => undefined } : {};
  const made = containerLists({ ...context, ...ending, isRestartingWhole });
  const lists = context.isTerminating ? stoppedStatuses(pod, made, previous) : made;
  const computed = podPhase({
    pod,
    initStatuses: lists.initContainerStatuses ?? [],
    statuses: lists.containerStatuses ?? [],
    isBegun: hasRegularContainer(pod, context.record),
    isTerminating: context.isTerminating,
  });
  const fate = fateOf(context, computed);
  const phase = settledPhase(previous?.phase, fate?.phase ?? computed);
  const kept = previous?.phase === phase ? { reason: previous.reason, message: previous.message } : {};
  const verdicts = podConditions({
    pod,
    phase,
    initStatuses: lists.initContainerStatuses ?? [],
    statuses: lists.containerStatuses ?? [],
    isSandboxReady: !sandboxChange(pod, context.record).changed,
    previous: pod.status?.conditions ?? [],
    disruption: context.verdict && disruptionOf(context.verdict),
    wasInitialized: isConditionTrue(previous, 'Initialized'),
    restart: mayRestartWhole(pod) ? restart : undefined,
    resizes: context.isTerminating || isTerminalPhase(phase) ? [] : (context.resizes ?? []),
  });
  const stamp = { now: apiTime(nowMs), generation: pod.metadata.generation };
  const { reason, message } = fate ?? kept;
  return {
    ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }),
    phase,
    ...(reason ? { reason } : {}),
    ...(message ? { message } : {}),
    conditions: stampConditions(verdicts, previous?.conditions ?? pod.status?.conditions ?? [], stamp),
    ...addresses(context),
    startTime: previous?.startTime ?? apiTime(nowMs),
    qosClass: qualityOfService(pod),
    ...ownResources(context, phase),
    ...lists,
  };
}

/** `status` while containers of the pod may still run: what ends it is not told before (upstream: mergePodStatus). */
export function withoutEnd(status: PodStatus, previous: PodStatus | undefined): PodStatus {
  const { reason: _reason, message: _message, ...others } = status;
  const { phase = 'Pending', reason, message } = previous ?? {};
  return { ...others, phase, ...(reason ? { reason } : {}), ...(message ? { message } : {}) };
}

/** Whether a regular container was made in the newest sandbox, and that one stands (upstream: HasAnyActiveRegularContainerStarted). */
function hasRegularContainer(
  { spec }: AssignedPod,
  { sandboxes: [sandbox], containers }: PodRecord,
): boolean {
  if (sandbox?.state !== PodSandboxState.SANDBOX_READY) return false;
  return containers.some(
    (status) =>
      status.createdAt >= sandbox.createdAt &&
      spec.containers.some(({ name }) => name === containerNameOf(status)),
  );
}

/**
 * What the pod as a whole was given and has, also where only its containers declare anything, or nobody does. Of a pod that runs,
 * processors and memory are told, and what it declares as a whole (upstream: convertToAPIPodLevelResourcesStatus).
 */
function ownResources(
  context: PodStatusContext,
  phase: PodStatus['phase'],
): Pick<PodStatus, 'resources' | 'allocatedResources'> {
  const { pod, actuated = pod.spec.resources } = context;
  const inForce = actuated ? { ...pod, spec: { ...pod.spec, resources: actuated } } : pod;
  const isRunning = phase === 'Running' || pod.status?.phase === 'Running';
  const told = (side: 'requests' | 'limits') => {
    const isTold = (name: string) =>
      !isRunning ||
      name === 'cpu' ||
      name === 'memory' ||
      ownValue(actuated?.[side] ?? {}, name) !== undefined;
    return amountsShown(
      side,
      [...podAmounts(inForce, side)].filter(([name]) => isTold(name)),
    );
  };
  return {
    resources: { ...actuated, ...told('requests'), ...told('limits') },
    ...amountsShown('allocatedResources', [...podAmounts(pod, 'requests')]),
  };
}

/** Nothing where there is no amount. */
function amountsShown<Name extends string>(
  name: Name,
  amounts: readonly (readonly [string, { toString(): string }])[],
): Partial<Record<Name, Record<string, string>>> {
  if (amounts.length === 0) return {};
  const shown = Object.fromEntries(amounts.map(([resource, amount]) => [resource, String(amount)]));
  return { [name]: shown } as Record<Name, Record<string, string>>;
}

function containerLists(context: PodStatusContext): ContainerLists {
  const { previous } = context;
  const known: ContainerStatus[] = [
    ...(previous?.initContainerStatuses ?? []),
    ...(previous?.containerStatuses ?? []),
    ...(previous?.ephemeralContainerStatuses ?? []),
  ];
  const all = containersOf(context.pod).map((target) => ({
    kind: target.kind,
    status: containerStatus({ ...context, previous: known }, target),
  }));
  const of = (kind: string) => all.filter((entry) => entry.kind === kind).map(({ status }) => status);
  const byName = (a: ContainerStatus, b: ContainerStatus) => (a.name < b.name ? -1 : 1);
  const [init, ephemeral] = [of('init'), of('ephemeral')];
  return {
    containerStatuses: of('regular')
      .sort(byName)
      .map((status) => withDevices(status, context)),
    ...(init.length > 0 ? { initContainerStatuses: init } : {}),
    ...(ephemeral.length > 0 ? { ephemeralContainerStatuses: ephemeral.sort(byName) } : {}),
  };
}

function withDevices(status: ContainerStatus, { pod, deviceStatuses }: PodStatusContext): ContainerStatus {
  const container = pod.spec.containers.find(({ name }) => name === status.name);
  const allocatedResourcesStatus = (container && deviceStatuses?.(container)) ?? [];
  return allocatedResourcesStatus.length === 0 ? status : { ...status, allocatedResourcesStatus };
}

/** The machine's addresses are a pod's on its network from the beginning, unless the runtime tells of one; then its other family's. */
function onHostNetwork(own: readonly string[], hostIps: readonly string[]): string[] {
  const [ip] = own;
  if (ip === undefined) return [...hostIps];
  const second = hostIps.slice(1).find((other) => isIPv6(other) !== isIPv6(ip));
  return own.length === 1 && second !== undefined ? [ip, second] : [...own];
}

function addresses(context: PodStatusContext): Pick<PodStatus, 'hostIP' | 'hostIPs' | 'podIP' | 'podIPs'> {
  const { hostIps, pod, record, previous } = context;
  const [hostIP] = hostIps;
  const host = hostIP === undefined ? {} : { hostIP, hostIPs: hostIps.map((ip) => ({ ip })) };
  const ready = record.sandboxes.find(({ state }) => state === PodSandboxState.SANDBOX_READY);
  const network = (ready ?? record.sandboxes[0])?.network;
  const found = network?.ip ? [network.ip, ...network.additionalIps.map(({ ip }) => ip)] : [];
  const own = oneOfEachFamily(found, hostIps);
  const kept = (previous?.podIPs ?? []).flatMap(({ ip }) => (ip ? [ip] : []));
  const wanted = isHostNetwork(pod) ? onHostNetwork(own, hostIps) : own;
  const ips = wanted.length > 0 ? wanted : kept;
  return ips.length === 0 ? host : { ...host, podIP: ips[0], podIPs: ips.map((ip) => ({ ip })) };
}
