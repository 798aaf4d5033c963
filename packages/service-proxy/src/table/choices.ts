import { type Chain, load, lookUp, note, remember, sendTo } from '@wherry/linux';
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
export function choiceChain(choice: Choice): Chain {
  const { isNodePort, count, affinitySeconds } = choice;
  const endpoints = isNodePort ? sets.nodePortEndpoints : sets.endpoints;
  const frontend = isNodePort
    ? [load.protocol, load.destinationPort]
    : [load.destinationAddress, load.protocol, load.destinationPort];
  const at = (first: number, loads: readonly (typeof load.protocol)[]) =>
    loads.map((each, index) => each(first + index));
  const toEndpoint = (number: typeof load.protocol) => [
    ...at(0, [...frontend, number]),
    lookUp(endpoints, 0),
    sendTo(0),
  ];
  const name = choiceName(choice);
  if (affinitySeconds === undefined) return { name, rules: [toEndpoint(load.random(count))] };
  const affinity = isNodePort ? sets.nodePortAffinity : sets.affinity;
  const client = [load.sourceAddress, ...frontend];
  const data = client.length;
  return {
    name,
    rules: [
      [...at(0, client), load.random(count)(data), remember(affinity, 0, data, affinitySeconds * 1000)],
      [...at(0, client), lookUp(affinity, 0), note(0)],
      toEndpoint(load.noted),
    ],
  };
}
