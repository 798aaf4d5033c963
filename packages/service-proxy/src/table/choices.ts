import {
  type AddressFamily,
  addressWords,
  type Chain,
  type Expression,
  load,
  lookUp,
  note,
  remember,
  sendTo,
} from '@wherry/linux';
import { sets } from './names.ts';

/** How an endpoint is chosen. */
export interface Choice {
  isNodePort: boolean;
  /** Among how many. */
  count: number;
  affinitySeconds: number | undefined;
}

/** The name of the chain that makes such a choice: `choose-3`, `choose-3-for-10800s`, `node-port-choose-3`. */
export function choiceName({ isNodePort, count, affinitySeconds }: Choice): string {
  const stay = affinitySeconds === undefined ? '' : `-for-${affinitySeconds}s`;
  return `${isNodePort ? 'node-port-' : ''}choose-${count}${stay}`;
}

/** The chain of such a choice, which all services share that have so many endpoints. */
export function choiceChain(family: AddressFamily, choice: Choice): Chain {
  const { isNodePort, count, affinitySeconds } = choice;
  const endpoints = isNodePort ? sets.nodePortEndpoints : sets.endpoints;
  const words = addressWords[family];
  const port: Part[] = [
    [load.protocol, 1],
    [load.destinationPort, 1],
  ];
  const frontend: Part[] = isNodePort ? port : [[load.destinationAddress(family), words], ...port];
  const toEndpoint = (number: Load) => [
    ...inARow([...frontend, [number, 1]]),
    lookUp(endpoints, 0),
    sendTo(family, 0),
  ];
  const name = choiceName(choice);
  if (affinitySeconds === undefined) return { name, rules: [toEndpoint(load.random(count))] };
  const affinity = isNodePort ? sets.nodePortAffinity : sets.affinity;
  const client: Part[] = [[load.sourceAddress(family), words], ...frontend];
  const data = client.reduce((sum, [, length]) => sum + length, 0);
  return {
    name,
    rules: [
      [...inARow(client), load.random(count)(data), remember(affinity, 0, data, affinitySeconds * 1000)],
      [...inARow(client), lookUp(affinity, 0), note(0)],
      toEndpoint(load.noted),
    ],
  };
}

type Load = (word: number) => Expression;

/** What is loaded, and how many words it takes. */
type Part = [load: Load, words: number];

/** Loads parts one behind the other, from the first word on. */
function inARow(parts: readonly Part[]): Expression[] {
  let word = 0;
  return parts.map(([loadInto, words]) => {
    word += words;
    return loadInto(word - words);
  });
}
