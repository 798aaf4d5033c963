import { type IPBlock, type NetworkPolicy, rangeWarnings } from '@wherry/kubeapi';
import { as } from '../../objects/api-object.ts';
import { specGenerations } from '../../objects/strategy.ts';
import type { ServedKind } from '../definition.ts';

/** Network policies. */
export const networkPolicy: ServedKind = {
  group: 'networking.k8s.io',
  kind: 'NetworkPolicy',
  strategy: {
    ...specGenerations,
    warningsOf(object) {
      const { ingress = [], egress = [] } = as<NetworkPolicy>(object).spec ?? {};
      return [
        ...ingress.flatMap(({ from = [] }, index) => peerWarnings(from, `spec.ingress[${index}].from`)),
        ...egress.flatMap(({ to = [] }, index) => peerWarnings(to, `spec.egress[${index}].to`)),
      ];
    },
  },
};

function peerWarnings(peers: readonly { ipBlock?: IPBlock }[], path: string): string[] {
  return peers.flatMap(({ ipBlock }, index) => {
    if (!ipBlock) return [];
    const place = `${path}[${index}].ipBlock`;
    return [
      ...rangeWarnings(`${place}.cidr`, ipBlock.cidr),
      ...(ipBlock.except ?? []).flatMap((range, at) => rangeWarnings(`${place}.except[${at}]`, range)),
    ];
  });
}
