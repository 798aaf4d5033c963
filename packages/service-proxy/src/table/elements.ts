import { type AddressFamily, addressWords, decodeAddress, keyPart, type SetElement } from '@wherry/linux';
import { type Endpoint, endpointKey, type Target } from '../services/endpoints.ts';
import type { Frontend, Protocol, WhenNone } from '../services/frontends.ts';
import { type Choice, choiceName } from './choices.ts';
import { guardName } from './guards.ts';
import { sets } from './names.ts';

/** Numbers of protocols in packets. */
export const protocolNumbers: Readonly<Record<Protocol, number>> = { TCP: 6, UDP: 17, SCTP: 132 };

const wordBytes = 4;

const chainFor: Readonly<Record<WhenNone, string>> = { refuse: 'refuse', drop: 'drop-it' };

/** What a frontend puts into the table. */
export interface FrontendElements {
  elements: SetElement[];
  /** The choice that its chain has to make; undefined where nothing is to be chosen. */
  choice: Choice | undefined;
}

/** What a frontend is found by. */
export function frontendKey({ address, protocol, port }: Frontend): Buffer {
  const end = [keyPart.number(protocolNumbers[protocol]), keyPart.port(port)];
  return Buffer.concat(address === undefined ? end : [keyPart.address(address), ...end]);
}

/** `order` numbers the endpoints from 0 on. */
export function elementsOfFrontend(frontend: Frontend, order: readonly Endpoint[]): FrontendElements {
  const { address, affinitySeconds, protocol, sources, whenNone } = frontend;
  const isNodePort = address === undefined;
  const key = frontendKey(frontend);
  const guard = sources ? [{ set: sets.guarded, key, goto: guardName(sources) }] : [];
  if (order.length === 0) {
    const set = isNodePort ? sets.nodePortsWithoutEndpoints : sets.withoutEndpoints;
    return { elements: [...guard, { set, key, goto: chainFor[whenNone] }], choice: undefined };
  }
  const choice = { isNodePort, count: order.length, affinitySeconds };
  const numbered = order.map((endpoint, index) => ({
    set: isNodePort ? sets.nodePortEndpoints : sets.endpoints,
    key: Buffer.concat([key, keyPart.index(index)]),
    data: endpointData(endpoint),
  }));
  const remote = order.filter(({ isLocal }) => !isLocal);
  const protocolPart = keyPart.number(protocolNumbers[protocol]);
  const placeOf = ({ ip, port }: Target) =>
    Buffer.concat([keyPart.address(ip), protocolPart, keyPart.port(port)]);
  const led = [
    { set: isNodePort ? sets.ledNodePorts : sets.led, key },
    ...order.map((endpoint) => ({ set: sets.answering, key: placeOf(endpoint) })),
  ];
  const elements = [
    ...guard,
    { set: isNodePort ? sets.nodePorts : sets.services, key, goto: choiceName(choice) },
    ...numbered,
    ...order.map(({ ip }) => {
      const part = keyPart.address(ip);
      return { set: sets.hairpins, key: Buffer.concat([part, part]) };
    }),
    ...remote.map((endpoint) => ({ set: sets.remote, key: placeOf(endpoint) })),
    ...(protocol === 'TCP' ? led : []),
  ];
  return { elements, choice };
}

/** What maps hold for an endpoint. */
const endpointData = ({ ip, port }: Target): Buffer =>
  Buffer.concat([keyPart.address(ip), keyPart.port(port)]);

/**
 * The endpoints in an order that differs from the earlier one as little as may be: what stays keeps its number, the last
 * one takes the number of one that goes, new ones come last.
 */
export function keepOrder(before: readonly Target[], wanted: readonly Endpoint[]): Endpoint[] {
  const waiting = new Map(wanted.map((endpoint) => [endpointKey(endpoint), endpoint]));
  const slots = before.map((endpoint) => {
    const key = endpointKey(endpoint);
    const kept = waiting.get(key);
    waiting.delete(key);
    return kept;
  });
  const fresh = [...waiting.values()];
  for (let at = 0; at < slots.length; at++) slots[at] ??= fresh.shift();
  while (slots.includes(undefined)) {
    const last = slots.pop();
    if (last) slots[slots.indexOf(undefined)] = last;
  }
  return [...slots.filter((endpoint) => endpoint !== undefined), ...fresh];
}

/** The order in which a table holds the endpoints of each frontend, by the frontend's key in hex. */
export function ordersIn(family: AddressFamily, elements: readonly SetElement[]): Map<string, Target[]> {
  const addressBytes = addressWords[family] * wordBytes;
  const orders = new Map<string, Target[]>();
  for (const { set, key, data } of elements) {
    if ((set !== sets.endpoints && set !== sets.nodePortEndpoints) || !data) continue;
    const id = key.toString('hex', 0, key.length - wordBytes);
    const order = orders.get(id) ?? [];
    order[key.readUInt32LE(key.length - wordBytes)] = {
      ip: decodeAddress(data.subarray(0, addressBytes)),
      port: data.readUInt16BE(addressBytes),
    };
    orders.set(id, order);
  }
  return orders;
}
