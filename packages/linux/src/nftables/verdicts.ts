import { type AttributeList, cString } from '../netlink/attributes.ts';
import { type Expression, int32, uint32 } from './expressions.ts';

// linux/netfilter/nf_tables.h
const immediateAttribute = { destination: 1, data: 2 } as const;
const verdictRegister = 0;
const dataVerdict = 2;
const verdictAttribute = { code: 1, chain: 2 } as const;
const codes = { drop: 0, accept: 1, jump: -3 } as const;

function verdict(attributes: AttributeList): Expression {
  return {
    name: 'immediate',
    attributes: [
      [immediateAttribute.destination, uint32(verdictRegister)],
      [immediateAttribute.data, [[dataVerdict, attributes]]],
    ],
  };
}

/** The packet is lost. */
export const dropIt: Expression = verdict([[verdictAttribute.code, int32(codes.drop)]]);

/** The packet goes on to the next hook. */
export const acceptIt: Expression = verdict([[verdictAttribute.code, int32(codes.accept)]]);

/** Goes through another chain of the table, and on with the next rule where that has decided nothing. */
export function jumpTo(chain: string): Expression {
  return verdict([
    [verdictAttribute.code, int32(codes.jump)],
    [verdictAttribute.chain, cString(chain)],
  ]);
}
