import { type AttributeList, cString, encodeAttributes } from '../netlink/attributes.ts';
import type { AddressFamily } from '../netlink/ip-address.ts';
import { type NetlinkRequest, netlinkFlags } from '../netlink/netlink.ts';
import type { Expression } from './expressions.ts';
import { type NamedSet, newSetAttributes, setNameAttributes } from './named-set.ts';
import { elementAttributes, type SetElement } from './set-elements.ts';

// linux/netfilter/nfnetlink.h and nf_tables.h
const subsystem = 10;
const batchBegin = 16;
const batchEnd = 17;
/** Types of messages. */
export const message = {
  deleteTable: 2,
  newChain: 3,
  getChain: 4,
  deleteChain: 5,
  newRule: 6,
  deleteRule: 8,
  newSet: 9,
  getSet: 10,
  deleteSet: 11,
  newElement: 12,
  getElements: 13,
  deleteElement: 14,
} as const;
const families = { ip: 2, bridge: 7, ip6: 10 } as const;
const tableNameAttribute = 1;
const chainAttribute = { table: 1, name: 3 } as const;
const ruleAttribute = { table: 1, chain: 2, expressions: 4 } as const;
const listElement = 1;
const expressionAttribute = { name: 1, data: 2 } as const;
/** Elements of one message: an attribute holds 64 KiB. */
const elementsPerMessage = 256;

/** A table of nftables. */
export interface Table {
  family: keyof typeof families;
  name: string;
}

/** A chain that other chains lead to. */
export interface Chain {
  name: string;
  rules: readonly (readonly Expression[])[];
}

const header = (family: number, resource: number) => Buffer.from([family, 0, resource >> 8, resource & 0xff]);
const adding = netlinkFlags.create | netlinkFlags.exclusive;

/** One message about a table. */
export function request(
  { family }: Table,
  type: number,
  attributes: AttributeList,
  flags = 0,
): NetlinkRequest {
  return {
    type: (subsystem << 8) | type,
    flags,
    payload: Buffer.concat([header(families[family], 0), encodeAttributes(attributes)]),
  };
}

/** A table goes, with all that it holds. */
export const withoutTable = (table: Table): NetlinkRequest =>
  request(table, message.deleteTable, [[tableNameAttribute, cString(table.name)]]);

/** What makes messages one transaction. */
export function transaction(requests: readonly NetlinkRequest[]): NetlinkRequest[] {
  const payload = header(0, subsystem);
  return [{ type: batchBegin, flags: 0, payload }, ...requests, { type: batchEnd, flags: 0, payload }];
}

/** Elements of one set share messages, in the order in which the sets are first met. */
export function elementRequests(
  table: Table,
  type: typeof message.newElement | typeof message.deleteElement,
  elements: readonly SetElement[],
): NetlinkRequest[] {
  const flags = type === message.newElement ? adding : 0;
  return [...Map.groupBy(elements, ({ set }) => set)].flatMap(([set, members]) => {
    const parts = Array.from({ length: Math.ceil(members.length / elementsPerMessage) }, (_, at) =>
      members.slice(at * elementsPerMessage, (at + 1) * elementsPerMessage),
    );
    return parts.map((some) => request(table, type, elementAttributes(table.name, set, some), flags));
  });
}

/** Sets are made in tables of one family of addresses alone. */
function ofAddresses({ family, name }: Table): { family: AddressFamily; name: string } {
  if (family === 'bridge')
    throw new TypeError(`table "${name}" of the bridge family gets its sets by nft(8)`);
  return { family, name };
}

/** Sets with what they hold. */
export function newSets(table: Table, sets: readonly NamedSet[]): NetlinkRequest[] {
  return sets.flatMap((set, index) => [
    request(table, message.newSet, newSetAttributes(ofAddresses(table), set, index + 1), adding),
    ...elementRequests(table, message.newElement, set.elements ?? []),
  ]);
}

/** Sets go, with all that they hold. */
export const withoutSets = (table: Table, names: readonly string[]): NetlinkRequest[] =>
  names.map((name) => request(table, message.deleteSet, setNameAttributes(table.name, name)));

const chainName = (table: Table, name: string): AttributeList => [
  [chainAttribute.table, cString(table.name)],
  [chainAttribute.name, cString(name)],
];

/** Chains with their rules, which may lead to one another. */
export function newChains(table: Table, chains: readonly Chain[]): NetlinkRequest[] {
  return [
    ...chains.map(({ name }) => request(table, message.newChain, chainName(table, name), adding)),
    ...chains.flatMap(({ name, rules }) => rules.map((steps) => newRule(table, name, steps))),
  ];
}

function newRule(table: Table, chain: string, steps: readonly Expression[]): NetlinkRequest {
  const list = steps.map(
    (step) =>
      [
        listElement,
        [
          [expressionAttribute.name, cString(step.name)],
          [expressionAttribute.data, step.attributes],
        ],
      ] as const,
  );
  const rule: AttributeList = [
    [ruleAttribute.table, cString(table.name)],
    [ruleAttribute.chain, cString(chain)],
    [ruleAttribute.expressions, list],
  ];
  return request(table, message.newRule, rule, netlinkFlags.create | netlinkFlags.append);
}

/** Chains go, which nothing leads to but they themselves. */
export function withoutChains(table: Table, names: readonly string[]): NetlinkRequest[] {
  const rulesOf = (name: string): AttributeList => [
    [ruleAttribute.table, cString(table.name)],
    [ruleAttribute.chain, cString(name)],
  ];
  return [
    ...names.map((name) => request(table, message.deleteRule, rulesOf(name))),
    ...names.map((name) => request(table, message.deleteChain, chainName(table, name))),
  ];
}
