import { ownValue } from '@wherry/kubeapi';
import type { KubeletConfiguration } from '../configuration/configuration.ts';
import { ConfigurationError } from '../configuration/configuration-error.ts';
import {
  evictionThresholds,
  type NamedSignal,
  thresholdAmount,
} from '../configuration/eviction-thresholds.ts';
import { amountOf, binaryAmount, hugePagesName, isHugePages } from '../pod/amount.ts';
import type { SwapRules } from '../pod/swap.ts';
import type { MachineTraits } from './machine-demands.ts';
import type { MachineInfo } from './machine-info.ts';

/** What of the machine's swap containers get. */
export function swapRules({
  machine,
  configuration,
  traits: { limitsSwap, cgroupVersion },
}: {
  machine: MachineInfo;
  configuration: KubeletConfiguration;
  traits: MachineTraits;
}): SwapRules {
  const version = cgroupVersion === 'v2' ? 'v2' : 'v1';
  return {
    cgroupVersion: limitsSwap ? version : undefined,
    isLimited: configuration.memorySwap.swapBehavior === 'LimitedSwap',
    nodeMemoryBytes: machine.memoryBytes,
    nodeSwapBytes: machine.swapBytes,
  };
}

/** What the machine has. */
export function nodeCapacity(facts: {
  machine: MachineInfo;
  configuration: KubeletConfiguration;
  filesystemBytes: number;
}): Record<string, string> {
  const { machine, configuration, filesystemBytes } = facts;
  const { maxPods, podsPerCore, localStorageCapacityIsolation } = configuration;
  const pods = podsPerCore > 0 ? Math.min(maxPods, podsPerCore * machine.cores) : maxPods;
  const hugePages = machine.hugePages.map(({ sizeBytes, count }) => [
    hugePagesName(sizeBytes),
    binaryAmount(sizeBytes * count),
  ]);
  return {
    cpu: String(machine.cores),
    memory: binaryAmount(machine.memoryBytes),
    ...(localStorageCapacityIsolation ? { 'ephemeral-storage': binaryAmount(filesystemBytes) } : {}),
    ...Object.fromEntries(hugePages),
    pods: String(pods),
  };
}

/** What pods may use of `capacity`: reserves, hard eviction thresholds and the memory in huge pages taken away. */
export function nodeAllocatable(
  capacity: Record<string, string>,
  configuration: KubeletConfiguration,
): Record<string, string> {
  const thresholds = evictionThresholds(configuration);
  const total = (resource: string) => amountOf(ownValue(capacity, resource) ?? '0');
  const reserved = (resource: string) => reservedAmount(configuration, resource);
  const hugePages = Object.keys(capacity).filter(isHugePages);
  const inHugePages = hugePages.reduce((sum, name) => sum + total(name), 0);
  const memory =
    total('memory') -
    reserved('memory') -
    thresholdAmount(thresholds.get('memory.available'), total('memory')) -
    inHugePages;
  const disk =
    total('ephemeral-storage') -
    reserved('ephemeral-storage') -
    thresholdAmount(thresholds.get('nodefs.available'), total('ephemeral-storage'));
  const milliCpu = Math.floor((total('cpu') - reserved('cpu')) * 1_000);
  return {
    ...capacity,
    cpu: milliCpu % 1_000 === 0 ? String(Math.max(0, milliCpu / 1_000)) : `${Math.max(0, milliCpu)}m`,
    memory: binaryAmount(Math.max(0, Math.floor(memory))),
    ...(capacity['ephemeral-storage'] === undefined
      ? {}
      : { 'ephemeral-storage': binaryAmount(Math.max(0, Math.floor(disk))) }),
  };
}

/** Refuses, in upstream's words, to keep back more of a resource than the machine has. Throws ConfigurationError. */
export function refuseToReserveMore(
  capacity: Record<string, string>,
  configuration: KubeletConfiguration,
  { processesMax }: Pick<MachineInfo, 'processesMax'>,
): void {
  const thresholds = evictionThresholds(configuration);
  const signals: Record<string, NamedSignal> = {
    memory: 'memory.available',
    'ephemeral-storage': 'nodefs.available',
  };
  const whole = { ...capacity, ...(processesMax === undefined ? {} : { pid: String(processesMax) }) };
  const tooMuch = Object.entries(whole).flatMap(([name, text]) => {
    const total = amountOf(text);
    const signal = ownValue(signals, name);
    const kept =
      reservedAmount(configuration, name) + thresholdAmount(signal && thresholds.get(signal), total);
    const what = `has a reservation of ${binaryAmount(kept)} but capacity of ${text}`;
    return kept > total + 1e-9 ? [`Resource "${name}" ${what}. Expected capacity >= reservation.`] : [];
  });
  if (tooMuch.length > 0)
    throw new ConfigurationError([`invalid Node Allocatable configuration. ${tooMuch.join(' ')}`]);
}

/** Thousandths of processors that are kept back. */
export function reservedMilliCpu(configuration: KubeletConfiguration): number {
  return Math.ceil(reservedAmount(configuration, 'cpu') * 1_000 - 1e-9);
}

/** What is kept back of memory and huge pages, by kind: reserves, and of memory the hard eviction threshold. */
export function reservedMemoryBytes(
  capacity: Record<string, string>,
  configuration: KubeletConfiguration,
): ReadonlyMap<string, number> {
  const kinds = Object.keys(capacity).filter((name) => name === 'memory' || isHugePages(name));
  const thresholds = evictionThresholds(configuration);
  const kept = kinds.map((name) => {
    const threshold = name === 'memory' ? thresholds.get('memory.available') : undefined;
    const total = amountOf(ownValue(capacity, name) ?? '0');
    const evicted = Math.floor(thresholdAmount(threshold, total));
    return [name, reservedAmount(configuration, name) + evicted] as const;
  });
  return new Map(kept.filter(([, bytes]) => bytes > 0));
}

/** What is kept back of a resource for the system and for Kubernetes. */
function reservedAmount({ kubeReserved, systemReserved }: KubeletConfiguration, resource: string): number {
  return [kubeReserved, systemReserved].reduce(
    (sum, reserve) => sum + amountOf(ownValue(reserve, resource) ?? '0'),
    0,
  );
}

/** Limits of a control group. */
export interface GroupLimits {
  milliCpu: number;
  /** Undefined for none. */
  memoryBytes: number | undefined;
  /** Processes and threads; undefined for no bound of its own. */
  processes: number | undefined;
}

/**
 * What all pods together may have: with `enforceNodeAllocatable: [pods]` what is not reserved, otherwise every processor's
 * weight, no bound on memory, and as many processes as the kernel has (pkg/kubelet/cm/node_container_manager_linux.go).
 */
export function limitsForAllPods(machine: MachineInfo, configuration: KubeletConfiguration): GroupLimits {
  if (!configuration.enforceNodeAllocatable.includes('pods'))
    return { milliCpu: machine.cores * 1_000, memoryBytes: undefined, processes: machine.processesMax };
  const left = (whole: number, resource: string) =>
    Math.max(0, whole - reservedAmount(configuration, resource));
  return {
    milliCpu: Math.floor(left(machine.cores, 'cpu') * 1_000),
    memoryBytes: Math.floor(left(machine.memoryBytes, 'memory')),
    processes: machine.processesMax && Math.max(1, Math.floor(left(machine.processesMax, 'pid'))),
  };
}
