import { systemClock } from '@wherry/clock';
import { MetricsRegistry, silentLogger } from '@wherry/telemetry';
import { Responder } from '../src/answering/responder.ts';
import { ClusterZone } from '../src/cluster/cluster-zone.ts';
import { FollowedCluster } from '../src/cluster/followed-cluster.ts';
import { ReverseZone } from '../src/cluster/reverse-zone.ts';
import { Elsewhere } from '../src/forward/elsewhere.ts';
import type { PacketAnswers } from '../src/server/answer-packet.ts';
import { DnsMetrics } from '../src/server/dns-metrics.ts';
import { type FakeCluster, question } from './fake-cluster.ts';

const names = [
  ...['web.default.svc.cluster.local', '_http._tcp.web.default.svc.cluster.local', 'cluster.local', 'a'],
  ...['7.0.96.10.in-addr.arpa', 'dns-version.cluster.local', '1-2-3-4.default.pod.cluster.local'],
];
const types = [1, 2, 5, 6, 12, 16, 28, 33, 41, 65, 252, 255];

/** Queries that were damaged by chance, the same for the same seed. */
export class Hostility {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0 || 1;
  }

  /** Mulberry32: enough for choosing bytes. */
  #below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#below(list.length)]!;
  }

  packet(): Buffer {
    const edns = this.#below(2) === 0 ? {} : { edns: this.#below(65_536) };
    let packet = question(this.#pick(names), this.#pick(types), edns);
    for (let left = this.#below(6); left > 0; left--) {
      const at = this.#below(packet.length);
      const what = this.#below(4);
      if (what === 0) packet[at] = this.#below(256);
      else if (what === 1) packet[at] = 0xc0;
      else if (what === 2) packet = packet.subarray(0, at + 1);
      else packet = Buffer.concat([packet.subarray(0, at), packet.subarray(this.#below(packet.length))]);
    }
    return packet;
  }

  /** What answers such packets, without a socket. */
  answers(informers: FakeCluster): PacketAnswers {
    const { index, pods, serial } = new FollowedCluster(informers, systemClock);
    const shared = { index, domain: 'cluster.local', serial };
    const zone = new ClusterZone({ ...shared, address: Buffer.from([10, 96, 0, 10]) });
    const elsewhere = new Elsewhere({
      ...{ path: '/dev/null', resolvers: [], own: [], clock: systemClock, logger: silentLogger },
      asked() {},
    });
    const { forwarder, loop } = elsewhere;
    const responder = new Responder({
      ...{ index, pods, zone, forwarder, loop },
      reverse: new ReverseZone({ ...shared, ranges: ['10.96.0.0/16'] }),
      isComplete: () => true,
      beginning: Promise.resolve(),
      hostSearches: () => [],
    });
    return { responder, metrics: new DnsMetrics(new MetricsRegistry()), clock: systemClock };
  }
}
