import { isDeepStrictEqual } from 'node:util';
import { type KubeClient, kinds } from '@wherry/client';
import { backoff, type Clock, deadline, sleep } from '@wherry/clock';
import { type Node, type NodeStatus, ownValue, StatusError } from '@wherry/kubeapi';
import { nodeLabelKeys } from '@wherry/podrules';
import type { Logger } from '@wherry/telemetry';
import { firstLooksMs, firstReadyMs, nodeLookMs, nodeStatusTriesMax, registerBackoff } from '../../limits.ts';
import { isHugePages } from '../../pod/amount.ts';
import { type EventRecorder, nodeEvents } from '../events/recorder.ts';
import type { NodeStartTimes } from './node-start-times.ts';

/** What the reporter is made of. */
export interface NodeReporterOptions {
  client: KubeClient;
  clock: Clock;
  logger: Logger;
  recorder: EventRecorder;
  nodeName: string;
  /** Creates the node object when there is none. */
  registers: boolean;
  /** The node as it is created. */
  initialNode(): Promise<Node>;
  status(previous: Node | undefined): Promise<NodeStatus>;
  /** Labels that are set right whenever somebody changed them, as upstream: of the operating system and the architecture. */
  platformLabels: Readonly<Record<string, string>>;
  /** Annotations that are set right in the same way; undefined: it has none of that name. */
  annotations: Readonly<Record<string, string | undefined>>;
  times: Pick<NodeStartTimes, 'tried' | 'registered' | 'ready'>;
  updateMs: number;
  reportMs: number;
  /** Called with what the API server answered last, before each report and after it. */
  onRead(node: Node): Promise<void>;
  /** The node's UID at the API server is known. */
  onRegistered(node: Node): void;
}

/** Registers the node and keeps its status current, whoever changed it: at once when readiness changes, else in even intervals. */
export class NodeReporter {
  readonly #options: NodeReporterOptions;
  readonly #abort = new AbortController();
  #node: Node | undefined;
  #reportedMs = Number.NEGATIVE_INFINITY;
  /** The report behind one that told something new comes this much later or earlier: nodes do not all report at once. */
  #shiftMs = 0;
  #wake: (() => void) | undefined;
  /** It was read since the last report. */
  #isFresh = false;
  /** Readiness changed since the report that is under way was begun. */
  #isStale = false;
  /** Until when the node is looked at often, as long as it has never been Ready. */
  #hurriesUntilMs = 0;
  #wasReady = false;
  /** How often the node was found to tell of another boot than this one. */
  #otherBoots = 0;
  /** What was told last of whether pods may be scheduled. */
  #isUnschedulable = false;

  constructor(options: NodeReporterOptions) {
    this.#options = options;
  }

  /** The node as the API server last answered it. */
  get node(): Node | undefined {
    return this.#node;
  }

  start(): void {
    void this.#run();
  }

  close(): void {
    this.#abort.abort(new Error('the kubelet is stopping'));
  }

  /** Reports now: something about the node's readiness changed. */
  refresh(): void {
    this.#isStale = true;
    this.#wake?.();
  }

  async #run(): Promise<void> {
    const { signal } = this.#abort;
    const { clock, logger, updateMs } = this.#options;
    await this.#register().catch(() => {});
    this.#hurriesUntilMs = clock.monotonicMs() + firstReadyMs;
    while (!signal.aborted) {
      this.#isStale = false;
      await this.#report().catch((error: unknown) => {
        if (!signal.aborted) logger.warn('the node status could not be written', { error });
      });
      const hurries = !this.#wasReady && clock.monotonicMs() < this.#hurriesUntilMs;
      const periodMs = hurries ? Math.min(updateMs, firstLooksMs) : updateMs;
      if (!this.#isStale) await this.#pause(periodMs * (1 + 0.04 * Math.random()), clock);
    }
  }

  #pause(delayMs: number, clock: Clock): Promise<void> {
    const early = new AbortController();
    this.#wake = () => early.abort();
    const signal = AbortSignal.any([early.signal, this.#abort.signal]);
    return sleep({ clock, delayMs, signal }).catch(() => {});
  }

  async #register(): Promise<void> {
    const { clock, logger, registers, nodeName, times } = this.#options;
    times.tried();
    const { signal } = this.#abort;
    const delays = backoff(registerBackoff);
    while (!signal.aborted) {
      try {
        this.#accept(registers ? await this.#createOrAdopt() : await this.#get());
        return;
      } catch (error) {
        if (delays.attempts === 0)
          logger.info('the node could not be registered yet', { node: nodeName, error });
        await sleep({ clock, delayMs: delays.nextDelayMs(), signal }).catch(() => {});
      }
    }
  }

  /** Reads the node anew: what others changed of it is not told to the kubelet. */
  async look(): Promise<void> {
    const { clock } = this.#options;
    using limit = deadline({ clock, timeoutMs: nodeLookMs, signal: this.#abort.signal });
    this.#node = await this.#get(limit.signal);
  }

  #accept(node: Node): void {
    this.#node = node;
    this.#isFresh = true;
    this.#options.onRegistered(node);
  }

  #get(signal = this.#abort.signal): Promise<Node> {
    const { client, nodeName } = this.#options;
    return client.resource(kinds.nodes).get({ name: nodeName, signal });
  }

  async #createOrAdopt(): Promise<Node> {
    const { client } = this.#options;
    const nodes = client.resource(kinds.nodes);
    const wanted = await this.#options.initialNode();
    const { signal } = this.#abort;
    try {
      const created = await nodes.create(wanted, { signal });
      this.#options.times.registered();
      this.#tellChanges(undefined, created);
      return created;
    } catch (error) {
      if (!(error instanceof StatusError && (error.code === 409 || error.code === 403))) throw error;
    }
    const present = await this.#get();
    const metadata = adoptionOf(present, wanted);
    if (!metadata) return present;
    const { name = '' } = wanted.metadata;
    return nodes.patch({ type: 'strategic', name, patch: { metadata }, signal });
  }

  /** Others write there too: a kubelet that was not heard for long is told of as unknown, until it says otherwise. */
  async #readAnew(): Promise<void> {
    if (!this.#isFresh) this.#node = await this.#get();
    this.#isFresh = false;
  }

  async #report(): Promise<void> {
    const { clock, reportMs, nodeName, client } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#readAnew();
        this.#tellWhetherSchedulable();
        if (this.#node) await this.#options.onRead(this.#node);
        const status = await this.#options.status(this.#node);
        const isDue = clock.monotonicMs() - this.#reportedMs >= reportMs + this.#shiftMs;
        const metadata = this.#changedMetadata();
        const isChanged = metadata !== undefined || !isSame(this.#node?.status, status);
        if (!isDue && !isChanged) {
          this.#noteReady();
          return;
        }
        const isFirst = this.#reportedMs === Number.NEGATIVE_INFINITY;
        this.#shiftMs = isChanged || isFirst ? reportMs * (Math.random() - 0.5) : 0;
        const patch = {
          ...(metadata && { metadata }),
          status: statusPatch(this.#node?.status, status),
        };
        const nodes = client.resource(kinds.nodes);
        const { signal } = this.#abort;
        const before = this.#node;
        this.#node = await nodes.patch({
          type: 'strategic',
          name: nodeName,
          subresource: 'status',
          patch,
          signal,
        });
        this.#reportedMs = clock.monotonicMs();
        this.#noteReady();
        this.#tellChanges(before, this.#node);
        await this.#options.onRead(this.#node);
        return;
      } catch (error) {
        if (error instanceof StatusError && error.code === 404) await this.#register();
        else if (attempt >= nodeStatusTriesMax || this.#abort.signal.aborted) throw error;
      }
    }
  }

  /** What labels and annotations should say, where they do not. */
  #changedMetadata(): object | undefined {
    const { platformLabels: labels, annotations } = this.#options;
    if (!this.#node) return undefined;
    const { metadata } = this.#node;
    const hasLabels = has(metadata.labels, labels);
    const hasAnnotations = has(metadata.annotations, annotations);
    if (hasLabels && hasAnnotations) return undefined;
    const patch = Object.entries(annotations).map(([key, value]) => [key, value ?? null]);
    return {
      ...(!hasLabels && { labels }),
      ...(!hasAnnotations && { annotations: Object.fromEntries(patch) }),
    };
  }

  #noteReady(): void {
    const { conditions } = this.#node?.status ?? {};
    if (!conditions?.some(({ type, status }) => type === 'Ready' && status === 'True')) return;
    this.#wasReady = true;
    this.#options.times.ready();
  }

  #tellWhetherSchedulable(): void {
    const isUnschedulable = this.#node?.spec?.unschedulable ?? false;
    if (isUnschedulable === this.#isUnschedulable) return;
    this.#isUnschedulable = isUnschedulable;
    this.#tellStatus(isUnschedulable ? 'NodeNotSchedulable' : 'NodeSchedulable');
  }

  #tellStatus(reason: string): void {
    const { nodeName, recorder } = this.#options;
    const message = `Node ${nodeName} status is now: ${reason}`;
    nodeEvents(recorder, nodeName).normal(reason, message);
  }

  /** No machine starts twice under one kubelet: who has overwritten a later report is another one. */
  #tellReboot(before: Node | undefined, after: Node): void {
    const { nodeName, recorder } = this.#options;
    const bootId = after.status?.nodeInfo?.bootID;
    if (!before?.status?.nodeInfo?.bootID || before.status.nodeInfo.bootID === bootId) return;
    this.#otherBoots += 1;
    if (this.#otherBoots > 1) this.#tellNamesake(before);
    else
      nodeEvents(recorder, nodeName).warn(
        'Rebooted',
        `Node ${nodeName} has been rebooted, boot id: ${bootId}`,
      );
  }

  #tellNamesake({ status }: Node): void {
    const { nodeName, recorder, logger } = this.#options;
    const addresses = status?.addresses?.map(({ address }) => address).join(', ');
    logger.error('another kubelet reports as this node', { node: nodeName, addresses });
    const message = `Another kubelet reports as node ${nodeName} (${addresses}): give one of them another name (--hostname-override)`;
    nodeEvents(recorder, nodeName).warn('NodeNameConflict', message);
  }

  #tellChanges(before: Node | undefined, after: Node): void {
    this.#tellReboot(before, after);
    for (const { type, status } of after.status?.conditions ?? []) {
      const words = Object.hasOwn(conditionEvents, type) ? conditionEvents[type] : undefined;
      const known = before?.status?.conditions?.find((condition) => condition.type === type)?.status;
      if (!words || status === (known ?? '')) continue;
      this.#tellStatus(words[status === 'True' ? 0 : 1]);
    }
  }
}

/** Event of a condition that begins to hold, and of one that no longer does. */
const conditionEvents: Readonly<Record<string, [holds: string, ends: string]>> = {
  Ready: ['NodeReady', 'NodeNotReady'],
  MemoryPressure: ['NodeHasInsufficientMemory', 'NodeHasSufficientMemory'],
  DiskPressure: ['NodeHasDiskPressure', 'NodeHasNoDiskPressure'],
  PIDPressure: ['NodeHasInsufficientPID', 'NodeHasSufficientPID'],
};

/** Whether all of these are there with their values, and those without a value are not. */
const has = (
  present: Readonly<Record<string, string>> | undefined,
  wanted: Readonly<Record<string, string | undefined>>,
) => Object.entries(wanted).every(([key, value]) => ownValue(present, key) === value);

/** Labels that a node that is there already takes over; others that it was to begin with are its owner's by then. */
const adoptedLabels: ReadonlySet<string> = new Set(Object.values(nodeLabelKeys));

/** What a node that is there already lacks of what it would be made with. */
function adoptionOf(present: Node, { metadata: wanted }: Node): object | undefined {
  const labels = Object.entries(wanted.labels ?? {}).filter(
    ([key, value]) => adoptedLabels.has(key) && (ownValue(present.metadata.labels, key) ?? '') !== value,
  );
  const annotations = Object.entries(wanted.annotations ?? {}).filter(
    ([key, value]) => ownValue(present.metadata.annotations, key) !== value,
  );
  if (labels.length + annotations.length === 0) return undefined;
  return {
    labels: Object.fromEntries(labels.map(([key, value]) => [key, value || null])),
    annotations: Object.fromEntries(annotations),
  };
}

/** Whether two statuses differ in nothing but heartbeats and what others say of the node, in whatever order. */
function isSame(before: NodeStatus | undefined, after: NodeStatus): boolean {
  const own = new Set(after.conditions?.map(({ type }) => type));
  const strip = (status: NodeStatus | undefined) => ({
    ...status,
    conditions: (status?.conditions ?? [])
      .filter(({ type }) => own.has(type))
      .map(({ lastHeartbeatTime: _beat, ...rest }) => rest)
      .sort((a, b) => (a.type < b.type ? -1 : 1)),
  });
  return isDeepStrictEqual(
    JSON.parse(JSON.stringify(strip({ ...before, ...after }))),
    JSON.parse(JSON.stringify(strip(before))),
  );
}

/**
 * The patch from one status to the next. Addresses are merged by type at the server, which would make one of two: they are
 * replaced as a whole, or left alone. Amounts that are no longer there are named as such, of the capacity those of huge pages
 * that the machine has no more: the others are somebody else's.
 */
function statusPatch(before: NodeStatus | undefined, after: NodeStatus): object {
  const { addresses = [], ...rest } = after;
  const amounts = {
    ...amountsPatch('allocatable', before, after, () => true),
    ...amountsPatch('capacity', before, after, isHugePages),
  };
  const patch = { ...rest, ...amounts };
  if (isDeepStrictEqual(before?.addresses ?? [], addresses)) return patch;
  return { ...patch, addresses: [{ $patch: 'replace' }, ...addresses] };
}

function amountsPatch(
  list: 'allocatable' | 'capacity',
  before: NodeStatus | undefined,
  { [list]: amounts }: NodeStatus,
  isOwn: (name: string) => boolean,
): object {
  if (!amounts) return {};
  const gone = Object.keys(before?.[list] ?? {}).filter(
    (name) => isOwn(name) && !Object.hasOwn(amounts, name),
  );
  return { [list]: { ...amounts, ...Object.fromEntries(gone.map((name) => [name, null])) } };
}
