import { cString } from '../netlink/attributes.ts';
import { type Expression, register, uint32 } from './expressions.ts';

// linux/netfilter/nf_tables.h
const lookupAttribute = { set: 1, source: 2 } as const;
const compareAttribute = { source: 1, operation: 2, data: 3 } as const;
const dataValue = 1;
const operations = { equals: 0, atMost: 3, atLeast: 5 } as const;

/** Ends the rule unless the set holds the key that begins at a word. */
export function isIn(set: string, word: number): Expression {
  return {
    name: 'lookup',
    attributes: [
      [lookupAttribute.set, cString(set)],
      [lookupAttribute.source, register(word)],
    ],
  };
}

/** Ends the rule unless a word's first bytes compare so with these; numbers are big-endian, as packets have them. */
export function compare(word: number, operation: keyof typeof operations, bytes: Uint8Array): Expression {
  return {
    name: 'cmp',
    attributes: [
      [compareAttribute.source, register(word)],
      [compareAttribute.operation, uint32(operations[operation])],
      [compareAttribute.data, [[dataValue, bytes]]],
    ],
  };
}
