import { type KubeClient, kinds } from '@wherry/client';
import { backoff, type Clock, sleep } from '@wherry/clock';
import { type CSINode, type CSINodeDriver, type Node, ownValue, StatusError } from '@wherry/kubeapi';
import { csiNodeBackoff, csiNodeTriesMax } from '../../limits.ts';
import type { DriverNode } from './driver-node.ts';

const nodeIdAnnotation = 'csi.volume.kubernetes.io/nodeid';
const countMax = 2 ** 31 - 1;

/** Which drivers the cluster is told of: the CSINode object, and the node's annotation and labels. */
export class CsiNodeObject {
  readonly #options: { client: KubeClient; clock: Clock; nodeName: string; node(): Node | undefined };
  /** Writes wait for one another. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: { client: KubeClient; clock: Clock; nodeName: string; node(): Node | undefined }) {
    this.#options = options;
  }

  /** Makes the object of a node without drivers, once that is registered; what fails is left to the first driver. */
  async begin(signal: AbortSignal): Promise<void> {
    const { clock, node } = this.#options;
    while (!node()) await sleep({ clock, delayMs: csiNodeBackoff.maxMs, signal });
    await this.#inTurn(signal, async () => void (await this.#own(signal)));
  }

  /** Tells of a driver. Throws when that fails several times, and for a label that says something else already. */
  install(driver: DriverNode, signal: AbortSignal): Promise<void> {
    return this.#inTurn(signal, async () => {
      await this.#annotate(driver.name, driver, signal);
      const object = await this.#own(signal);
      const entry = driverEntry(driver);
      const before = object.spec.drivers.find(({ name }) => name === driver.name);
      if (before && isSame(before, entry)) return;
      const others = object.spec.drivers.filter(({ name }) => name !== driver.name);
      await this.#write(object, [...others, entry], signal);
    });
  }

  /** Takes back what was told of a driver. */
  uninstall(name: string, signal: AbortSignal): Promise<void> {
    return this.#inTurn(signal, async () => {
      const object = await this.#find(signal);
      const others = object?.spec.drivers.filter((driver) => driver.name !== name) ?? [];
      if (object && others.length < object.spec.drivers.length) await this.#write(object, others, signal);
      await this.#annotate(name, undefined, signal);
    });
  }

  async #inTurn(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(() => this.#withRetries(signal, work));
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #withRetries(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    const delays = backoff(csiNodeBackoff);
    for (let attempt = 1; ; attempt += 1) {
      try {
        signal.throwIfAborted();
        return await work();
      } catch (error) {
        if (attempt >= csiNodeTriesMax || signal.aborted) throw error;
        await sleep({ clock: this.#options.clock, delayMs: delays.nextDelayMs(), signal });
      }
    }
  }

  async #find(signal: AbortSignal): Promise<CSINode | undefined> {
    const { client, nodeName: name } = this.#options;
    try {
      return await client.resource(kinds.csiNodes).get({ name, signal });
    } catch (error) {
      if (error instanceof StatusError && error.code === 404) return undefined;
      throw error;
    }
  }

  /** This node's object, made where it is missing; one of an earlier node of the name is replaced. */
  async #own(signal: AbortSignal): Promise<CSINode> {
    const { client, nodeName: name } = this.#options;
    const uid = this.#options.node()?.metadata.uid;
    if (!uid) throw new Error(`node "${name}" is not registered yet`);
    const found = await this.#find(signal);
    const owners = found?.metadata.ownerReferences ?? [];
    if (found && owners.some((owner) => owner.kind === 'Node' && owner.uid === uid)) return found;
    const objects = client.resource(kinds.csiNodes);
    if (found) await objects.delete({ name }, { signal });
    return objects.create(
      {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSINode',
        metadata: { name, ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }] },
        spec: { drivers: [] },
      },
      { signal },
    );
  }

  async #write(object: CSINode, drivers: CSINodeDriver[], signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    await client
      .resource(kinds.csiNodes)
      .update({ ...object, spec: { ...object.spec, drivers } }, { signal });
  }

  async #annotate(name: string, driver: DriverNode | undefined, signal: AbortSignal): Promise<void> {
    const { client, nodeName } = this.#options;
    const nodes = client.resource(kinds.nodes);
    const { metadata } = await nodes.get({ name: nodeName, signal });
    const ids = parseIds(ownValue(metadata.annotations ?? {}, nodeIdAnnotation));
    const before = ids.get(name);
    if (driver) ids.set(name, driver.nodeId);
    else ids.delete(name);
    const labels = newLabels(metadata.labels ?? {}, driver?.topology ?? {});
    if (before === driver?.nodeId && Object.keys(labels).length === 0) return;
    const value = ids.size === 0 ? null : JSON.stringify(Object.fromEntries(ids));
    const patch = { metadata: { annotations: { [nodeIdAnnotation]: value }, labels } };
    await nodes.patch({ type: 'strategic', name: nodeName, patch, signal });
  }
}

function parseIds(text: string | undefined): Map<string, string> {
  if (!text) return new Map();
  const ids: unknown = JSON.parse(text);
  const entries = typeof ids === 'object' && ids !== null ? Object.entries(ids) : [];
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** Throws in upstream's words for one that the node has with another value. */
function newLabels(
  present: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
): Record<string, string> {
  const missing = Object.entries(wanted).filter(([key, value]) => {
    const before = ownValue(present, key);
    if (before !== undefined && before !== value)
      throw new Error(
        `detected topology value collision: driver reported "${key}":"${value}" but existing label is "${key}":"${before}"`,
      );
    return before === undefined;
  });
  return Object.fromEntries(missing);
}

function driverEntry({ name, nodeId, volumesMax, topology }: DriverNode): CSINodeDriver {
  const count = Math.min(volumesMax, countMax);
  return {
    ...{ name, nodeID: nodeId, topologyKeys: Object.keys(topology).sort() },
    ...(count > 0 ? { allocatable: { count } } : {}),
  };
}

function isSame(a: CSINodeDriver, b: CSINodeDriver): boolean {
  const keys = (driver: CSINodeDriver) => [...(driver.topologyKeys ?? [])].sort().join();
  return a.nodeID === b.nodeID && keys(a) === keys(b) && a.allocatable?.count === b.allocatable?.count;
}
