import { kinds } from '@wherry/client';
import { type Cidr, type Node, parseCidr } from '@wherry/kubeapi/objects';
import type { ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { EventRecorder } from '../machinery/events.ts';
import { isLateWrite } from '../machinery/late-write.ts';
import { defineController } from '../machinery/run-controller.ts';
import { Subnets } from './subnets.ts';

const watches = { nodes: { type: kinds.nodes } };

/** Gives each node ranges of addresses for its pods (`spec.podCIDRs`), where the cluster has ranges to give. */
export const nodeIpamController = defineController({
  name: 'node-ipam-controller',
  account: 'node-controller',
  watches,
  writes: ['nodes', 'events'],
  // One after the other: each has to see what the one before was given.
  concurrency: 1,
  build: (context) => new NodeIpam(context),
});

/** Who has what stands in the nodes alone; nothing is kept beside them but what they do not show yet. */
class NodeIpam implements Reconciler<typeof watches> {
  readonly #context: ControllerContext<typeof watches>;
  readonly #subnets: readonly Subnets[];
  readonly #recorder: EventRecorder;
  /** What nodes were given, by name, until the watch tells of it; a write whose end is not known is repeated. */
  readonly #given = new Map<string, { uid: string; podCIDRs: readonly string[] }>();
  readonly keysOf: Reconciler<typeof watches>['keysOf'] = {
    nodes: (node) => (this.#subnets.length > 0 ? [node.metadata?.name ?? ''] : []),
  };

  constructor(context: ControllerContext<typeof watches>) {
    const { client, clock, logger, nodeRanges } = context.cluster;
    this.#context = context;
    this.#subnets = nodeRanges.ranges.map((range) => new Subnets(range));
    this.#recorder = new EventRecorder({ client, clock, logger, component: 'cidrAllocator' });
  }

  async reconcile(name: string, signal: AbortSignal): Promise<void> {
    const node = this.#context.informers.nodes.objects.get(name);
    const { uid = '', deletionTimestamp } = node?.metadata ?? {};
    const given = this.#given.get(name);
    const isDone = !node || deletionTimestamp !== undefined || rangesOf(node).length > 0;
    if (isDone || given?.uid !== uid) this.#given.delete(name);
    if (isDone) return;
    const podCIDRs = given?.uid === uid ? given.podCIDRs : this.#take(node);
    this.#given.set(name, { uid, podCIDRs });
    const patch = { metadata: { uid }, spec: { podCIDR: podCIDRs[0], podCIDRs } };
    try {
      await this.#context.cluster.client.resource(kinds.nodes).patch({ name, type: 'merge', patch, signal });
    } catch (error) {
      if (!isLateWrite(error)) {
        this.#tell(node, 'CIDRAssignmentFailed');
        throw error;
      }
      // Another node by now, or one that somebody else gave a range.
      this.#given.delete(name);
    }
  }

  #take(node: Node): string[] {
    const used = this.#used();
    return this.#subnets.map((subnets) => {
      const subnet = subnets.take(used);
      if (subnet !== undefined) return subnet;
      this.#tell(node, 'CIDRNotAvailable');
      throw new Error(
        `no range of pods is left for node "${node.metadata?.name}"; give the cluster a larger one`,
      );
    });
  }

  #used(): Cidr[] {
    const { objects } = this.#context.informers.nodes;
    const shown = [...objects.values()].flatMap(rangesOf);
    const given = [...this.#given].flatMap(([name, { uid, podCIDRs }]) =>
      objects.get(name)?.metadata?.uid === uid ? podCIDRs : [],
    );
    const all = [...shown, ...given].map(parseCidr).filter((cidr) => cidr !== undefined);
    return [...all, ...this.#context.cluster.nodeRanges.excluded];
  }

  #tell(node: Node, reason: string): void {
    const { name } = node.metadata ?? {};
    const message = `Node ${name} status is now: ${reason}`;
    this.#recorder.recordOf(kinds.nodes, node, { type: 'Normal', reason, message });
  }
}

const rangesOf = ({ spec }: Node): string[] => spec?.podCIDRs ?? [];
