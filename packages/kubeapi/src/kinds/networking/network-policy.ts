/** Network policies. */
import type { NetworkPolicy } from '../../generated/types.ts';
import type { JsonObject } from '../../json-value.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, orNone, type Printer, selectorText } from '../../table/printer.ts';
import type { KindDefinition } from '../definition.ts';

const printer: Printer<NetworkPolicy> = {
  columns: [nameColumn, column('Pod-Selector'), ageColumn],
  cells: ({ metadata, spec }, nowMs) => [
    ...[metadata.name ?? '', orNone(selectorText(spec.podSelector)), age(metadata.creationTimestamp, nowMs)],
  ],
};

/** Network policies. */
export const networkPolicy: KindDefinition<NetworkPolicy> = {
  group: 'networking.k8s.io',
  kind: 'NetworkPolicy',
  printer,
  defaults: {
    NetworkPolicyPort: { protocol: 'TCP' },
  },
  computedDefaults: {
    NetworkPolicySpec: defaultPolicyTypes,
  },
  descriptions: {
    NetworkPolicy: { '': 'Says which connections pods may have.' },
  },
};

function defaultPolicyTypes(spec: JsonObject): void {
  if (Array.isArray(spec['policyTypes']) && spec['policyTypes'].length > 0) return;
  const hasEgress = Array.isArray(spec['egress']) && spec['egress'].length > 0;
  spec['policyTypes'] = hasEgress ? ['Ingress', 'Egress'] : ['Ingress'];
}
