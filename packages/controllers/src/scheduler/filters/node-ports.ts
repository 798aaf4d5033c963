import { portsConflict } from '@wherry/podrules';
import { type FilterPlugin, refuse } from './filter-plugin.ts';

const refused = refuse("node(s) didn't have free ports for the requested pod ports");

/** Ports of the node that containers ask for. */
export const nodePorts: FilterPlugin = {
  name: 'NodePorts',
  helpedBy: ['node', 'pod-gone'],
  prepare({ pod, hostPorts }) {
    if (hostPorts.length === 0) return undefined;
    return {
      refusal({ pods }) {
        const takers = [...pods.values()].filter((other) => other.hostPorts.length > 0);
        const others = takers.map((other) => other.pod);
        return portsConflict(pod, others) ? refused : undefined;
      },
    };
  },
};
