import { isIPv6 } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { type KubeObject, keyOf, kinds } from '@wherry/client';
import { hasReason, type LoadBalancerIngress, type Node, type Service } from '@wherry/kubeapi/objects';
import { limits } from '../limits.ts';
import type { ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { EventRecorder } from '../machinery/events.ts';
import { type ControllerDefinition, defineController } from '../machinery/run-controller.ts';
import { messageOf } from '../ownership/pod-writes.ts';
import type { HeldPort, MachinePorts, Port } from './machine-ports.ts';

/** The machine whose address services get. */
export interface BalancingMachine {
  /** The node that tells its addresses. */
  nodeName: string;
  ports: MachinePorts;
  /** Whether services get them; else what services have of them is taken back. */
  isOn: boolean;
}

/** Whose word a status is: what somebody else wrote there stays. */
const fieldManager = 'wherry-load-balancer';

const watchesOf = (nodeName: string) => ({
  services: { type: kinds.services },
  nodes: { type: kinds.nodes, fieldSelector: `metadata.name=${nodeName}` },
});

type Watches = ReturnType<typeof watchesOf>;

/**
 * Gives services of type LoadBalancer the machine's own address, as k3s does: the machine leads what comes to their ports
 * there. Each port is one service's, and none that a program of the machine listens at; who comes later waits for it. Services of a
 * class, and those whose status somebody else wrote, are left alone. Keys are `namespace/name`.
 */
export const machineLoadBalancer = (machine: BalancingMachine): ControllerDefinition =>
  defineController<Watches>({
    name: 'machine-load-balancer',
    watches: watchesOf(machine.nodeName),
    writes: ['services/status', 'events'],
    // A port that one gives back is there for the next.
    concurrency: 1,
    build: (context) => new MachineLoadBalancer(context, machine),
  });

class MachineLoadBalancer implements Reconciler<Watches> {
  readonly #context: ControllerContext<Watches>;
  readonly #machine: BalancingMachine;
  readonly #recorder: EventRecorder;
  readonly #held = new Map<string, Map<string, HeldPort>>();
  /** Services without their ports, and what their owners were told of it. */
  readonly #waiting = new Map<string, string>();
  readonly keysOf: Reconciler<Watches>['keysOf'];

  constructor(context: ControllerContext<Watches>, machine: BalancingMachine) {
    const { client, clock, logger } = context.cluster;
    this.#context = context;
    this.#machine = machine;
    this.#recorder = new EventRecorder({ client, clock, logger, component: fieldManager });
    this.keysOf = {
      services: (service, _change, previous) =>
        [service, previous].some((each) => each && (isBalanced(each) || isOurs(each)))
          ? [keyOf(service)]
          : [],
      nodes: (node, _change, previous) =>
        isDeepStrictEqual(internalAddresses(node), internalAddresses(previous)) ? [] : this.#balanced(),
    };
  }

  async reconcile(key: string, signal: AbortSignal): Promise<void> {
    const service = this.#context.informers.services.objects.get(key);
    if (service && this.#isWanted(service)) return this.#give(key, service, signal);
    await this.#release(key);
    this.#waiting.delete(key);
    if (service && !service.metadata.deletionTimestamp) await this.#takeBack(service, signal);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#held.keys()].map((key) => this.#release(key)));
  }

  #isWanted(service: Service): boolean {
    const { deletionTimestamp } = service.metadata;
    const isFree = !service.status?.loadBalancer?.ingress?.length || isOurs(service);
    return this.#machine.isOn && isBalanced(service) && !deletionTimestamp && isFree;
  }

  *#balanced(): Iterable<string> {
    for (const [key, service] of this.#context.informers.services.objects) if (isBalanced(service)) yield key;
  }

  async #give(key: string, service: Service, signal: AbortSignal): Promise<void> {
    const addresses = this.#addressesFor(service);
    if (addresses.length === 0) return this.#withdraw(key, service, signal);
    const { loadBalancerIP } = service.spec ?? {};
    try {
      if (loadBalancerIP && !addresses.includes(loadBalancerIP))
        throw new Error(
          `loadBalancerIP ${loadBalancerIP} is not an address of this node, which has ${addresses}`,
        );
      await this.#hold(key, portsOf(service, addresses));
    } catch (error) {
      await this.#withdraw(key, service, signal);
      return this.#wait(key, service, messageOf(error));
    }
    this.#waiting.delete(key);
    const ingress = addresses.map((ip): LoadBalancerIngress => ({ ip, ipMode: 'VIP' }));
    if (isDeepStrictEqual(service.status?.loadBalancer?.ingress, ingress)) return;
    await this.#write(service, ingress, signal);
    const message = 'Ensured load balancer';
    this.#recorder.recordOf(kinds.services, service, {
      type: 'Normal',
      reason: 'EnsuredLoadBalancer',
      message,
    });
  }

  /** Addresses of the node by the service's families. */
  #addressesFor({ spec }: Service): string[] {
    const node = this.#context.informers.nodes.objects.get(this.#machine.nodeName);
    const addresses = internalAddresses(node);
    return (spec?.ipFamilies ?? ['IPv4']).flatMap(
      (family) => addresses.find((address) => isIPv6(address) === (family === 'IPv6')) ?? [],
    );
  }

  /** Holds these ports and no others. Where one can't be had, rejects and holds what it held before. */
  async #hold(key: string, ports: ReadonlyMap<string, Port>): Promise<void> {
    const before = this.#held.get(key) ?? new Map<string, HeldPort>();
    const taken = new Map<string, HeldPort>();
    const { heldPortsPerServiceMax, heldPortsMax } = limits;
    if (ports.size > heldPortsPerServiceMax)
      throw new Error(
        `${ports.size} ports of this machine, of which one service may have ${heldPortsPerServiceMax}`,
      );
    const others = [...this.#held].reduce((sum, [other, { size }]) => sum + (other === key ? 0 : size), 0);
    if (others + ports.size > heldPortsMax)
      throw new Error(
        `${others} ports of this machine are other services', of ${heldPortsMax} that all may have`,
      );
    try {
      for (const [name, port] of ports) {
        if (before.has(name)) continue;
        const other = [...this.#held].find(([, theirs]) => theirs.has(name));
        if (other) throw new Error(`${name} is the service "${other[0]}"'s`);
        taken.set(name, await this.#machine.ports.hold(port));
      }
    } catch (error) {
      // Nobody is told that these are free: of two who wait for the same port, each would wake the other without end.
      await releaseAll(taken.values());
      throw error;
    }
    this.#held.set(key, new Map([...[...before].filter(([name]) => ports.has(name)), ...taken]));
    await this.#giveUp([...before].flatMap(([name, port]) => (ports.has(name) ? [] : [port])));
  }

  async #withdraw(key: string, service: Service, signal: AbortSignal): Promise<void> {
    await this.#release(key);
    await this.#takeBack(service, signal);
  }

  async #release(key: string): Promise<void> {
    const held = [...(this.#held.get(key)?.values() ?? [])];
    this.#held.delete(key);
    await this.#giveUp(held);
  }

  /** Those who wait may want what is free now. */
  async #giveUp(ports: readonly HeldPort[]): Promise<void> {
    if (ports.length === 0) return;
    await releaseAll(ports);
    for (const key of this.#waiting.keys()) this.#context.queue.add(key);
  }

  /** Programs of the machine say nothing when they end. */
  #wait(key: string, service: Service, why: string): void {
    this.#context.queue.addAfter(key, limits.takenPortRetryMs);
    if (this.#waiting.get(key) === why) return;
    this.#waiting.set(key, why);
    const message = `Error syncing load balancer: failed to ensure load balancer: ${why}`;
    this.#recorder.recordOf(kinds.services, service, {
      type: 'Warning',
      reason: 'SyncLoadBalancerFailed',
      message,
    });
  }

  async #takeBack(service: Service, signal: AbortSignal): Promise<void> {
    if (isOurs(service) && service.status?.loadBalancer?.ingress?.length)
      await this.#write(service, null, signal);
  }

  async #write(
    { metadata: { name = '', namespace } }: Service,
    ingress: LoadBalancerIngress[] | null,
    signal: AbortSignal,
  ): Promise<void> {
    const patch = { status: { loadBalancer: { ingress } } };
    try {
      await this.#context.cluster.client
        .resource(kinds.services)
        .patch({ name, namespace, subresource: 'status', type: 'merge', patch, fieldManager, signal });
    } catch (error) {
      if (!hasReason(error, 'NotFound')) throw error;
    }
  }
}

const releaseAll = (ports: Iterable<HeldPort>) => Promise.all([...ports].map((port) => port.release()));

const isBalanced = ({ spec }: Service) =>
  spec?.type === 'LoadBalancer' && spec.loadBalancerClass === undefined;

const isOurs = ({ metadata }: KubeObject) =>
  metadata?.managedFields?.some(
    ({ manager, subresource }) => manager === fieldManager && subresource === 'status',
  ) ?? false;

const internalAddresses = (node: Node | undefined) =>
  (node?.status?.addresses ?? []).flatMap(({ type, address }) =>
    type === 'InternalIP' && address ? [address] : [],
  );

/** The service's ports at these addresses, by the words for each. */
function portsOf({ spec }: Service, addresses: readonly string[]): Map<string, Port> {
  const all = addresses.flatMap((address) =>
    (spec?.ports ?? []).map(({ port, protocol = 'TCP' }) => ({
      address,
      port,
      protocol: protocol as Port['protocol'],
    })),
  );
  return new Map(all.map((each) => [`port ${each.port} (${each.protocol}) of ${each.address}`, each]));
}
