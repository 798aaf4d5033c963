import assert from 'node:assert/strict';
import {
  type AddressFamily,
  addressBits,
  type Chain,
  decodeAttributes,
  type Expression,
  encodeAddress,
  encodeAttributes,
  type SetElement,
  type TableChange,
} from '@wherry/linux';
import { openChain, sets } from '../src/table/names.ts';

/** The first packet of a connection. */
export interface Packet {
  from: string;
  to: string;
  protocol: 'TCP' | 'UDP' | 'SCTP' | 'ICMP';
  port: number;
}

const protocolNumbers = { TCP: 6, UDP: 17, SCTP: 132, ICMP: 1 } as const;
const bridge = 'br0';

interface HeldSet {
  isInterval: boolean;
  elements: Map<string, SetElement>;
}

/**
 * What the kernel does with a table, as far as network policies go: it refuses what the kernel refuses, and says of a
 * packet between pods what the rules say. The fixed rules are written down here once more.
 */
export class Judge {
  readonly #sets = new Map<string, HeldSet>();
  readonly #chains = new Map<string, Chain>();

  readonly #family: AddressFamily;

  constructor(dns: readonly Buffer[] = [], family: AddressFamily = 'ip') {
    this.#family = family;
    for (const name of Object.values(sets)) this.#sets.set(name, { isInterval: false, elements: new Map() });
    for (const key of dns) this.#put({ set: sets.dns, key });
    this.#chains.set(openChain, { name: openChain, rules: [] });
  }

  /** Names of sets with their elements, and of chains, for comparing. */
  get content(): unknown {
    const held = [...this.#sets].map(([name, { elements }]) => [
      name,
      [...elements].map(([key, { goto }]) => `${key} ${goto}`).sort(),
    ]);
    return [held.sort(), [...this.#chains.keys()].sort()];
  }

  apply(change: TableChange): void {
    const { addedSets = [], addedChains = [], removedElements = [], addedElements = [] } = change;
    for (const { name, isInterval = false, elements = [] } of addedSets) {
      assert.ok(!this.#sets.has(name), `set ${name} is there`);
      this.#sets.set(name, { isInterval, elements: new Map() });
      for (const element of elements) this.#put(element);
    }
    for (const chain of addedChains) {
      assert.ok(!this.#chains.has(chain.name), `chain ${chain.name} is there`);
      this.#chains.set(chain.name, chain);
    }
    for (const { set, key } of removedElements)
      assert.ok(
        this.#sets.get(set)?.elements.delete(key.toString('hex')),
        `no ${key.toString('hex')} in ${set}`,
      );
    for (const element of addedElements) this.#put(element);
    for (const name of change.removedChains ?? []) assert.ok(this.#chains.delete(name), `no chain ${name}`);
    for (const name of change.removedSets ?? []) assert.ok(this.#sets.delete(name), `no set ${name}`);
    this.#checkReferences();
  }

  /** Whether a packet passes; `local` says which ends are pods of this node. */
  passes(packet: Packet, local: (address: string) => boolean): boolean {
    const { from, to } = packet;
    if (this.#has(sets.itself, Buffer.concat([encodeAddress(from), encodeAddress(to)]))) return true;
    const leaves = !local(from) || this.#judged(sets.egress, from, packet);
    return leaves && (!local(to) || this.#judged(sets.ingress, to, packet));
  }

  #judged(map: string, pod: string, packet: Packet): boolean {
    const goto = this.#sets.get(map)?.elements.get(encodeAddress(pod).toString('hex'))?.goto;
    if (goto === openChain) return true;
    if (goto !== undefined) return this.#verdict(goto, packet) === 'accept';
    const name = Buffer.alloc(16);
    name.write(bridge);
    return !this.#has(sets.closed, name);
  }

  #verdict(chain: string, packet: Packet): 'accept' | 'drop' | undefined {
    for (const rule of this.#chains.get(chain)?.rules ?? []) {
      const verdict = this.#ruleVerdict(rule, packet);
      if (verdict) return verdict;
    }
    return undefined;
  }

  #ruleVerdict(rule: readonly Expression[], packet: Packet): 'accept' | 'drop' | undefined {
    const words = Buffer.alloc(64);
    for (const { name, attributes } of rule) {
      const parts = decodeAttributes(encodeAttributes(attributes));
      const number = (type: number) => parts.get(type)?.readUInt32BE(0) ?? 0;
      const at = (register: number) => (register - 8) * 4;
      if (name === 'payload') loaded(packet, number(2), number(3)).copy(words, at(number(1)));
      else if (name === 'meta') words.writeUInt32LE(protocolNumbers[packet.protocol], at(number(1)));
      else if (name === 'lookup') {
        const set = parts.get(1)?.toString().replace(/\0$/, '') ?? '';
        const address = addressBits[this.#family] / 8;
        const bytes = set === sets.dns || set.startsWith('port/') ? address + 8 : address;
        if (!this.#has(set, words.subarray(at(number(2)), at(number(2)) + bytes))) return undefined;
      } else if (name === 'cmp') {
        const value = decodeAttributes(parts.get(3) ?? Buffer.alloc(0)).get(1) ?? Buffer.alloc(0);
        const order = Buffer.compare(words.subarray(at(number(1)), at(number(1)) + value.length), value);
        const holds = { 0: order === 0, 3: order <= 0, 5: order >= 0 }[number(2)];
        if (!holds) return undefined;
      } else if (name === 'immediate') {
        const verdict = decodeAttributes(
          decodeAttributes(parts.get(2) ?? Buffer.alloc(0)).get(2) ?? Buffer.alloc(0),
        );
        const code = verdict.get(1)?.readInt32BE(0);
        if (code === -3) return this.#verdict(verdict.get(2)?.toString().replace(/\0$/, '') ?? '', packet);
        return code === 1 ? 'accept' : 'drop';
      } else throw new Error(`expression "${name}"`);
    }
    return undefined;
  }

  #has(set: string, key: Uint8Array): boolean {
    const held = this.#sets.get(set);
    assert.ok(held, `no set ${set}`);
    if (!held.isInterval) return held.elements.has(Buffer.from(key).toString('hex'));
    const before = [...held.elements.values()].filter((element) => Buffer.compare(element.key, key) <= 0);
    return before.sort((one, other) => Buffer.compare(one.key, other.key)).at(-1)?.isEnd === undefined
      ? before.length > 0
      : false;
  }

  #put(element: SetElement): void {
    const held = this.#sets.get(element.set);
    assert.ok(held, `no set ${element.set}`);
    const key = element.key.toString('hex');
    assert.ok(!held.elements.has(key), `${key} is in ${element.set}`);
    held.elements.set(key, element);
  }

  #checkReferences(): void {
    for (const { elements } of this.#sets.values())
      for (const { goto } of elements.values())
        assert.ok(goto === undefined || this.#chains.has(goto), `no chain ${goto}`);
    const nobody = this.#family === 'ip' ? '0.0.0.0' : '::';
    const packet: Packet = { from: nobody, to: nobody, protocol: 'TCP', port: 0 };
    for (const name of this.#chains.keys()) this.#verdict(name, packet);
  }
}

/** What a payload expression loads: of the network header (1) or the transport header (2). */
function loaded({ from, to, port }: Packet, base: number, offset: number): Buffer {
  if (base === 1) return encodeAddress(offset === 12 || offset === 8 ? from : to);
  return Buffer.from([port >> 8, port & 0xff]);
}
