/** The managers of our kubelet on a machine that is told of, without the rest of it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@wherry/clock';
import type { Pod } from '@wherry/kubeapi';
import { createLogger, MetricsRegistry } from '@wherry/telemetry';
import {
  configurationFields,
  type KubeletConfiguration,
} from '../../packages/kubelet/src/configuration/configuration.ts';
import { assembleCpus } from '../../packages/kubelet/src/execution/cpus/assemble.ts';
import type { CpuManager } from '../../packages/kubelet/src/execution/cpus/cpu-manager.ts';
import { CpuState } from '../../packages/kubelet/src/execution/cpus/cpu-state.ts';
import { DeviceManager } from '../../packages/kubelet/src/execution/devices/device-manager.ts';
import { managersFigures } from '../../packages/kubelet/src/execution/managers/managers-figures.ts';
import { ResourceManagers } from '../../packages/kubelet/src/execution/managers/resource-managers.ts';
import { assembleMemory } from '../../packages/kubelet/src/execution/memory/assemble.ts';
import { MemoryState } from '../../packages/kubelet/src/execution/memory/memory-state.ts';
import type { AdmissionRefusal } from '../../packages/kubelet/src/execution/topology/admission-refusal.ts';
import { MemoryNodes } from '../../packages/kubelet/src/execution/topology/memory-nodes.ts';
import { topologyRules } from '../../packages/kubelet/src/execution/topology/topology-options.ts';
import { Turns } from '../../packages/kubelet/src/execution/topology/turns.ts';
import { NodePaths } from '../../packages/kubelet/src/ground/node-paths.ts';
import type { MachineTopology } from '../../packages/kubelet/src/ground/topology/machine-topology.ts';
import type { AssignedPod } from '../../packages/kubelet/src/pod/assigned-pod.ts';
import { formatCpuSet } from '../../packages/kubelet/src/pod/cpu-set.ts';

/** What happens on the node: a pod comes, one of its containers starts, or a pod is gone. */
export type Step = { admit: Pod } | { start: { uid: string; container: string } } | { remove: string };

/** A machine, what a kubelet on it is told, and what happens; of the form that upstream's judge reads. */
export interface Question {
  machine: MachineTopology;
  cpuPolicy: KubeletConfiguration['cpuManagerPolicy'];
  cpuOptions: Record<string, string>;
  reservedCpu: string;
  reservedCpus: string;
  memoryPolicy: KubeletConfiguration['memoryManagerPolicy'];
  /** By memory node. */
  reservedMemory: Record<number, string>;
  topologyPolicy: KubeletConfiguration['topologyManagerPolicy'];
  topologyScope: KubeletConfiguration['topologyManagerScope'];
  topologyOptions: Record<string, string>;
  /** Records that are there at first, by name. */
  files: Record<string, string>;
  steps: Step[];
}

/** What is known after a step. */
export interface Result {
  admitted: boolean;
  reason: string;
  message: string;
  shared: string;
  cpus: Record<string, Record<string, string>>;
  memory: Record<string, Record<string, string>>;
  table: Record<string, string>;
}

/** The results of all steps, or why there are none, and the records at the end. */
export interface Answer {
  error: string;
  results?: Result[];
  cpuFile: string;
  memoryFile: string;
}

const recordNames = { cpuFile: 'cpu_manager_state', memoryFile: 'memory_manager_state' };

/** What our managers make of it. */
export async function answerOf(question: Question): Promise<Answer> {
  const folder = mkdtempSync(join(tmpdir(), 'managers-'));
  try {
    for (const [name, text] of Object.entries(question.files)) writeFileSync(join(folder, name), text);
    return await answerIn(folder, question);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function answerIn(folder: string, question: Question): Promise<Answer> {
  const none = { results: [], cpuFile: '', memoryFile: '' };
  let bench: Bench;
  try {
    bench = new Bench(folder, question);
  } catch (error) {
    return { ...none, error: (error as Error).message };
  }
  const results: Result[] = [];
  for (const step of question.steps) {
    const refusal = await bench.take(step);
    const { reason = '', message = '' } = refusal ?? {};
    results.push({ ...bench.state(), admitted: refusal === undefined, reason, message });
  }
  const text = (name: string) => readFileSync(join(folder, name), 'utf8');
  const { cpuFile, memoryFile } = recordNames;
  return { error: '', results, cpuFile: text(cpuFile), memoryFile: text(memoryFile) };
}

class Bench {
  readonly #folder: string;
  readonly #question: Question;
  readonly #pods = new Map<string, AssignedPod>();
  readonly #cpus: CpuManager;
  readonly #managers: ResourceManagers;

  constructor(folder: string, question: Question) {
    this.#folder = folder;
    this.#question = question;
    const ground = groundOf(folder, question);
    const nodes = new MemoryNodes(question.machine);
    const rules = topologyRules(ground.configuration, nodes);
    const figures = managersFigures(ground.metrics);
    const clock = new FakeClock();
    const turns = new Turns();
    this.#cpus = assembleCpus(ground, { nodes, alignment: figures.alignment });
    const memory = assembleMemory(ground, nodes);
    const devices = new DeviceManager({
      ...{ folder, clock, nodes, turns, logger: ground.logger },
      durations: ground.metrics.histogram('durations', ''),
      onChanged() {},
      onPodChanged() {},
    });
    this.#managers = new ResourceManagers({
      ...{ devices, cpus: this.#cpus, memory, rules, turns, figures, clock },
      scope: question.topologyScope,
      isActive: (uid) => this.#pods.has(uid),
      onShared() {},
    });
    this.#managers.settle();
  }

  async take(step: Step): Promise<AdmissionRefusal | undefined> {
    if ('remove' in step) {
      this.#pods.delete(step.remove);
      this.#managers.collect();
      return undefined;
    }
    if ('start' in step) {
      const pod = this.#pods.get(step.start.uid);
      const all = [...(pod?.spec.initContainers ?? []), ...(pod?.spec.containers ?? [])];
      const container = all.find(({ name }) => name === step.start.container);
      if (pod && container) this.#managers.started(pod, container);
      return undefined;
    }
    const pod = step.admit as AssignedPod;
    const { uid } = pod.metadata;
    this.#pods.set(uid, pod);
    try {
      await this.#managers.allocate(pod, { isStarting: false, isRunning: () => false, isPast: () => false });
      return undefined;
    } catch (error) {
      this.#pods.delete(uid);
      return error as AdmissionRefusal;
    }
  }

  /** As the records tell it: what is not in them would be lost. */
  state(): Omit<Result, 'admitted' | 'reason' | 'message'> {
    const { cpuFile, memoryFile } = recordNames;
    const cpus = new CpuState(join(this.#folder, cpuFile), this.#question.cpuPolicy);
    const memory = new MemoryState(join(this.#folder, memoryFile), this.#question.memoryPolicy);
    const own = cpus.grants.map(
      ({ uid, container, cpus: set }) => [uid, container, formatCpuSet(set)] as const,
    );
    const blocks = memory.holders.map(({ uid, container, blocks: of }) => {
      const texts = of.map(({ type, sizeBytes, nodes }) => `${type} ${sizeBytes} [${nodes.join(' ')}]`);
      return [uid, container, texts.sort().join('; ')] as const;
    });
    const table = [...memory.table].map(([id, { assignments, group, memory: cells }]) => {
      const texts = [...cells].map(([type, { free, allocatable }]) => `${type} ${free} of ${allocatable}`);
      return [id, `${assignments} [${group.join(' ')}] ${texts.sort().join('; ')}`];
    });
    return {
      shared: formatCpuSet(cpus.shared),
      cpus: nested(own),
      memory: nested(blocks),
      table: Object.fromEntries(table),
    };
  }
}

function nested(entries: readonly (readonly [string, string, string])[]) {
  const result: Record<string, Record<string, string>> = {};
  for (const [uid, container, text] of entries) result[uid] = { ...result[uid], [container]: text };
  return result;
}

function groundOf(folder: string, question: Question) {
  const { machine, reservedCpus, reservedMemory, cpuPolicy, memoryPolicy } = question;
  const configuration: KubeletConfiguration = {
    ...configurationFields.initial,
    featureGates: { CPUManagerPolicyAlphaOptions: true },
    cpuManagerPolicy: cpuPolicy,
    cpuManagerPolicyOptions: question.cpuOptions,
    reservedSystemCPUs: reservedCpus,
    memoryManagerPolicy: memoryPolicy,
    reservedMemory: Object.entries(reservedMemory).map(([node, memory]) => ({
      numaNode: Number(node),
      limits: { memory },
    })),
    topologyManagerPolicy: question.topologyPolicy,
    topologyManagerScope: question.topologyScope,
    topologyManagerPolicyOptions: question.topologyOptions,
  };
  const kept = Object.values(reservedMemory).reduce((sum, text) => sum + Number(text), 0);
  return {
    configuration,
    topology: machine,
    paths: new NodePaths({ rootDir: folder, podLogsDir: folder }),
    metrics: new MetricsRegistry(),
    logger: createLogger('managers'),
    reservedMilliCpu: Number(question.reservedCpu) * 1_000,
    reservedBytes: new Map(kept > 0 ? [['memory', kept]] : []),
  };
}
