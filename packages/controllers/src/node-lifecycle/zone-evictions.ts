/** How fast nodes are given up, by how many of their zone are not ready (upstream: handleDisruption of pkg/controller/nodelifecycle). */
import type { Clock } from '@wherry/clock';
import { type Node, ownValue } from '@wherry/kubeapi/objects';
import type { NodeEvictionRates } from '../machinery/node-eviction-rates.ts';
import { EvictionQueue } from './eviction-queue.ts';

/** How it is about the nodes of a zone. */
export type ZoneState = 'Initial' | 'Normal' | 'PartialDisruption' | 'FullDisruption';

/** What a node's condition Ready says; undefined when there is none. */
export type ReadyStatus = string | undefined;

/** What a look at all nodes found: since now nobody is given up any more, or again. */
export type Turn = 'halted' | 'resumed' | undefined;

/** So few nodes are no reason to think of their zone. */
const strayNodes = 2;

/** Region and zone of a node; the labels of old come first, as upstream. */
export function zoneOf({ metadata }: Node): string {
  const { labels = {} } = metadata ?? {};
  const label = (old: string, now: string) => ownValue(labels, old) ?? ownValue(labels, now) ?? '';
  const region = label('failure-domain.beta.kubernetes.io/region', 'topology.kubernetes.io/region');
  const zone = label('failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone');
  return JSON.stringify([region, zone]);
}

/** The zones of a cluster, each with its nodes that are to be given up. */
export class ZoneEvictions {
  readonly #clock: Clock;
  readonly #rates: NodeEvictionRates;
  readonly #zones = new Map<string, { state: ZoneState; queue: EvictionQueue }>();

  constructor(clock: Clock, rates: NodeEvictionRates) {
    this.#clock = clock;
    this.#rates = rates;
  }

  /** True while all zones are disrupted as a whole: more likely this process hears nobody than that nobody is there. */
  get isHalted(): boolean {
    const counted = [...this.#zones.values()].filter(({ state }) => state !== 'Initial');
    return counted.length > 0 && counted.every(({ state }) => state === 'FullDisruption');
  }

  stateOf(zone: string): ZoneState | undefined {
    return this.#zones.get(zone)?.state;
  }

  /** The node is to be given up when it is its turn. */
  add(node: Node): void {
    this.#zone(zoneOf(node)).queue.add(node.metadata?.name ?? '');
  }

  /** The node is not, or has been. */
  remove(name: string): void {
    for (const { queue } of this.#zones.values()) queue.remove(name);
  }

  /** Takes in what was found of all nodes that count, by zone. */
  judge(found: ReadonlyMap<string, readonly ReadyStatus[]>): Turn {
    const next = new Map([...found].map(([zone, statuses]) => [zone, this.#judgeZone(statuses)]));
    for (const zone of next.keys()) this.#zone(zone);
    this.#forgetAllBut(next);
    const known = [...this.#zones].filter(([name]) => next.has(name));
    const areAll = [...next.values()].every((state) => state === 'FullDisruption');
    const wereAll = known.every(([, { state }]) => state === 'FullDisruption');
    if (areAll && wereAll) return undefined;
    for (const [name, zone] of known) {
      const state = next.get(name)!;
      const isChanged = wereAll || zone.state !== state;
      zone.state = state;
      if (areAll) {
        zone.queue.clear();
        zone.queue.setRate(0, this.#clock.monotonicMs());
      } else if (isChanged) this.#setRate(zone, found.get(name)!.length);
    }
    if (areAll) return 'halted';
    return wereAll ? 'resumed' : undefined;
  }

  /** The nodes whose turn it is, one of each zone. */
  due(): string[] {
    const nowMs = this.#clock.monotonicMs();
    return [...this.#zones.values()].flatMap(({ queue }) => queue.next(nowMs) ?? []);
  }

  /** The node could not be given up yet: others of its zone come first. */
  postpone(node: Node): void {
    this.remove(node.metadata?.name ?? '');
    this.add(node);
  }

  /** The node has been given up. */
  done(name: string): void {
    const nowMs = this.#clock.monotonicMs();
    for (const { queue } of this.#zones.values()) if (queue.next(nowMs) === name) queue.done(name, nowMs);
  }

  /** How long it is until the next is due. */
  waitMs(): number {
    const nowMs = this.#clock.monotonicMs();
    return Math.min(...[...this.#zones.values()].map(({ queue }) => queue.waitMs(nowMs)));
  }

  #zone(name: string) {
    let zone = this.#zones.get(name);
    if (!zone) {
      const queue = new EvictionQueue(this.#rates.perSecond, this.#clock.monotonicMs());
      zone = { state: 'Initial', queue };
      this.#zones.set(name, zone);
    }
    return zone;
  }

  /** Of a zone without nodes that count nothing is remembered, but for those that wait in it. */
  #forgetAllBut(kept: ReadonlyMap<string, ZoneState>): void {
    for (const [name, zone] of this.#zones) {
      if (kept.has(name)) continue;
      if (zone.queue.size === 0) this.#zones.delete(name);
      else {
        zone.state = 'Initial';
        zone.queue.setRate(this.#rates.perSecond, this.#clock.monotonicMs());
      }
    }
  }

  #judgeZone(statuses: readonly ReadyStatus[]): ZoneState {
    const bad = statuses.filter((status) => status !== 'True').length;
    if (bad === statuses.length && bad > 0) return 'FullDisruption';
    const isMany = bad > strayNodes && bad / statuses.length >= this.#rates.unhealthyZoneThreshold;
    return isMany ? 'PartialDisruption' : 'Normal';
  }

  /** A small zone that is half gone is left alone; a large one loses nodes slowly. */
  #setRate({ state, queue }: { state: ZoneState; queue: EvictionQueue }, nodes: number): void {
    const { perSecond, secondaryPerSecond, largeClusterNodes } = this.#rates;
    const isLarge = nodes > largeClusterNodes;
    const rate = state !== 'PartialDisruption' ? perSecond : isLarge ? secondaryPerSecond : 0;
    queue.setRate(rate, this.#clock.monotonicMs());
  }
}
