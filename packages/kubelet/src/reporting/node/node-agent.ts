import { sleep, type Timer } from '@wherry/clock';
import type { Node, Taint } from '@wherry/kubeapi';
import type { Ground } from '../../ground/ground.ts';
import { firstReportMs, saidPollMs } from '../../limits.ts';
import type { PressureState } from '../../observation/pressure/pressure-state.ts';
import { type EventRecorder, nodeEvents } from '../events/recorder.ts';
import { NodeLease } from './node-lease.ts';
import { NodeReporter } from './node-reporter.ts';
import { NodeStartTimes } from './node-start-times.ts';
import { type DeviceCapacity, nodeLabels, nodeStatus, platformLabels } from './node-status.ts';
import { PodRanges } from './pod-ranges.ts';
import { RuntimeHealth } from './runtime-health.ts';

/** For controllers of volumes, and of clouds (k8s.io/cloud-provider/api). */
const annotationKeys = {
  managedAttachDetach: 'volumes.kubernetes.io/controller-managed-attach-detach',
  providedNodeIp: 'alpha.kubernetes.io/provided-node-ip',
};

/** A cloud's controller takes it off once it has told what it knows of the node. */
const uninitializedTaint: Taint = {
  key: 'node.cloudprovider.kubernetes.io/uninitialized',
  value: 'true',
  effect: 'NoSchedule',
};

/** What the node's own side of the kubelet is made of. */
export interface NodeAgentOptions {
  ground: Ground;
  recorder: EventRecorder;
  /** What the node is short of; tell {@link NodeAgent.conditionsChanged}. */
  pressure: PressureState;
  /** The machine is about to shut down; tell {@link NodeAgent.conditionsChanged}. */
  isShuttingDown(): boolean;
  /** Why pods can't be followed at present. */
  lifecycleProblem(): string | undefined;
  onRegistered(node: Node): void;
}

/** The node as the cluster sees it: its object, its status, its lease, and the runtime's health behind them. */
export class NodeAgent {
  readonly health: RuntimeHealth;
  readonly #reporter: NodeReporter | undefined;
  readonly #lease: NodeLease | undefined;
  readonly #options: NodeAgentOptions;
  #kubeletPort = 0;
  #lateReport: Timer | undefined;
  #reports = false;
  #volumesInUse: readonly string[] = [];
  #devices = (): DeviceCapacity => ({ capacity: {}, allocatable: {} });

  constructor(options: NodeAgentOptions) {
    this.#options = options;
    const { client, cri, clock, logger, nodeName, configuration, metrics, machine, startedAtMs, addresses } =
      options.ground;
    const times = new NodeStartTimes({ metrics, clock, startedAtMs, bootedAtMs: machine.bootedAtMs });
    this.health = new RuntimeHealth({
      runtime: cri.runtime,
      clock,
      onChanged: () => this.#reporter?.refresh(),
    });
    if (!client) return;
    const ranges = new PodRanges(cri.runtime, logger);
    this.#reporter = new NodeReporter({
      client,
      clock,
      logger,
      recorder: options.recorder,
      nodeName,
      registers: configuration.registerNode,
      times,
      initialNode: () => this.#initialNode(),
      status: (previous) => this.#status(previous),
      platformLabels: platformLabels(machine),
      annotations: { [annotationKeys.providedNodeIp]: addresses.provided },
      updateMs: configuration.nodeStatusUpdateFrequency,
      reportMs: configuration.nodeStatusReportFrequency,
      onRead: async (node) => {
        addresses.tell(node);
        if (await ranges.tell(node)) this.health.ask();
      },
      onRegistered: options.onRegistered,
    });
    const durationSeconds = configuration.nodeLeaseDurationSeconds;
    const node = () => this.#reporter?.node;
    this.#lease = new NodeLease({ client, clock, logger, nodeName, durationSeconds, node });
  }

  get node(): Node | undefined {
    return this.#reporter?.node;
  }

  /** Asks the API server for the node as others have changed it, labels and taints. */
  async look(): Promise<void> {
    await this.#reporter?.look();
  }

  /**
   * Starts asking the runtime; the node says that its kubelet is served on that port. Reporting begins with the first {@link refresh}, so that a node which is about to be ready
   * does not say otherwise first; a while later in any case.
   */
  start(kubeletPort: number): void {
    this.#kubeletPort = kubeletPort;
    const { recorder, ground } = this.#options;
    this.health.start();
    this.#lateReport = ground.clock.after(firstReportMs, () => this.#beginReports());
    this.#lease?.start();
    nodeEvents(recorder, ground.nodeName).normal('Starting', 'Starting kubelet.');
  }

  close(): void {
    this.#lateReport?.cancel();
    this.health.close();
    this.#reporter?.close();
    this.#lease?.close();
  }

  /** Reports anew, once reporting has begun. */
  conditionsChanged(): void {
    this.#reporter?.refresh();
  }

  /** Where the node's devices are asked for; tell {@link conditionsChanged} when they change. */
  set devices(source: () => DeviceCapacity) {
    this.#devices = source;
  }

  /** From now on the node says that these volumes, by their names in its status, must not be taken from it. */
  set volumesInUse(names: readonly string[]) {
    if (names.join() === this.#volumesInUse.join()) return;
    this.#volumesInUse = names;
    this.#reporter?.refresh();
  }

  /** Resolves when the API server knows of every one of these. Rejects with `signal.reason`. */
  async saysInUse(names: readonly string[], signal: AbortSignal): Promise<void> {
    const { clock } = this.#options.ground;
    const isSaid = () => {
      const said = new Set(this.#reporter?.node?.status?.volumesInUse ?? []);
      return !this.#reporter || names.every((name) => said.has(name));
    };
    while (!isSaid()) await sleep({ clock, delayMs: saidPollMs, signal });
  }

  /** Reports now. */
  refresh(): void {
    this.#beginReports();
    this.#reporter?.refresh();
  }

  #beginReports(): void {
    this.#lateReport?.cancel();
    if (this.#reports) return;
    this.#reports = true;
    this.#reporter?.start();
  }

  async #initialNode(): Promise<Node> {
    const { nodeName, machine, nodeLabels: extra, configuration, addresses } = this.#options.ground;
    const { provided, isOfCloud } = addresses;
    const taints = [
      ...(configuration.registerWithTaints as unknown as Taint[]),
      ...(isOfCloud ? [uninitializedTaint] : []),
    ];
    return {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name: nodeName,
        labels: { ...nodeLabels(nodeName, machine), ...extra },
        annotations: {
          [annotationKeys.managedAttachDetach]: 'true',
          ...(provided !== undefined && { [annotationKeys.providedNodeIp]: provided }),
        },
      },
      spec: {
        ...(taints.length > 0 ? { taints } : {}),
        ...(configuration.providerID ? { providerID: configuration.providerID } : {}),
      },
      status: await this.#status(undefined),
    };
  }

  async #status(previous: Node | undefined) {
    const { machine, configuration, nodeName, addresses, clock, cri, filesystemBytes, logger } =
      this.#options.ground;
    if (await addresses.look()) logger.info('the node has other addresses', { addresses: addresses.ips });
    const { name, version, handlers, supplementalGroupsPolicy } = this.health.view;
    const { images } = await cri.images.listImages({}).catch(() => ({ images: [] }));
    const problems = [
      this.health.problem,
      this.#options.lifecycleProblem(),
      this.health.networkProblem,
      this.#options.isShuttingDown() ? 'node is shutting down' : undefined,
    ];
    return nodeStatus({
      machine,
      configuration,
      nodeName,
      ips: addresses.ips,
      keepsAddresses: addresses.isOfCloud,
      kubeletPort: this.#kubeletPort,
      runtime: { name, version },
      handlers,
      supplementalGroupsPolicy,
      filesystemBytes,
      images,
      problems: problems.filter((problem) => problem !== undefined),
      pressures: this.#options.pressure.holding,
      nowMs: clock.nowMs(),
      volumesInUse: this.#volumesInUse,
      devices: this.#devices(),
      previous,
    });
  }
}
