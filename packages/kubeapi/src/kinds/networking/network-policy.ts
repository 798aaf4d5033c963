/** Network policies. */

import type { IPBlock, NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from '../../generated/types.ts';
import type { JsonObject } from '../../json/json-value.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, orNone, type Printer, selectorText } from '../../table/printer.ts';
import { isStrictSubset, parseCidr, validateCidr } from '../../validation/addresses/cidr.ts';
import { isInvalidSelector, validateSelector } from '../../validation/metadata.ts';
import { checkPort, validatePort } from '../../validation/values.ts';
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
  validate: validateNetworkPolicy,
  validateUpdate: validateNetworkPolicy,
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

const policyTypes = ['Ingress', 'Egress'];
const protocols = ['TCP', 'UDP', 'SCTP'];

/** What a policy had before may stay, whatever the rules are by now. */
interface KnownParts {
  takesAnyValue: boolean;
  ranges: ReadonlySet<string>;
}

function validateNetworkPolicy({ spec = {} }: NetworkPolicy, previous?: NetworkPolicy): FieldError[] {
  const known: KnownParts = {
    takesAnyValue: isInvalidSelector(previous?.spec?.podSelector),
    ranges: new Set(previous ? rangesOf(previous) : []),
  };
  const { podSelector, ingress = [], egress = [], policyTypes: types = [] } = spec;
  const rules = [
    ...ingress.map(({ ports, from }, index) => ({
      ports,
      peers: from,
      place: at('spec.ingress', index),
      word: 'from',
    })),
    ...egress.map(({ ports, to }, index) => ({
      ports,
      peers: to,
      place: at('spec.egress', index),
      word: 'to',
    })),
  ];
  return [
    ...validateSelector(podSelector, 'spec.podSelector', known.takesAnyValue),
    ...rules.flatMap(({ ports = [], peers = [], place, word }) => [
      ...ports.flatMap((port, index) => validateRulePort(port, at(child(place, 'ports'), index))),
      ...peers.flatMap((peer, index) => validatePeer(peer, at(child(place, word), index), known)),
    ]),
    ...(types.length > policyTypes.length
      ? [invalidValue('spec.policyTypes', [...types], 'may not specify more than two policyTypes')]
      : types.flatMap((type, index) =>
          policyTypes.includes(type) ? [] : [notSupported(at('spec.policyTypes', index), type, policyTypes)],
        )),
  ];
}

function validateRulePort({ protocol, port, endPort }: NetworkPolicyPort, field: FieldPath): FieldError[] {
  const end = child(field, 'endPort');
  const errors =
    protocol === undefined || protocols.includes(protocol)
      ? []
      : [notSupported(child(field, 'protocol'), protocol, protocols)];
  if (port !== undefined) errors.push(...validatePort(port, child(field, 'port')));
  if (endPort === undefined) return errors;
  if (typeof port !== 'number') {
    const why = port === undefined ? 'not specified' : 'non-numeric';
    return [...errors, invalidValue(end, endPort, `may not be specified when \`port\` is ${why}`)];
  }
  if (endPort < port) errors.push(invalidValue(end, endPort, 'must be greater than or equal to `port`'));
  return [...errors, ...checkPort(end, endPort)];
}

function validatePeer(
  { podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer,
  field: FieldPath,
  { takesAnyValue, ranges }: KnownParts,
): FieldError[] {
  const count = [podSelector, namespaceSelector, ipBlock].filter((part) => part !== undefined).length;
  return [
    ...validateSelector(podSelector, child(field, 'podSelector'), takesAnyValue),
    ...validateSelector(namespaceSelector, child(field, 'namespaceSelector'), takesAnyValue),
    ...(ipBlock ? validateBlock(ipBlock, child(field, 'ipBlock'), ranges) : []),
    ...(count === 0 ? [required(field, 'must specify a peer')] : []),
    ...(count > 1 && ipBlock ? [forbiddenField(field, 'may not specify both ipBlock and another peer')] : []),
  ];
}

function validateBlock(
  { cidr, except = [] }: IPBlock,
  field: FieldPath,
  known: ReadonlySet<string>,
): FieldError[] {
  if (!cidr) return [required(child(field, 'cidr'))];
  const formOf = (place: FieldPath, text: string) => (known.has(text) ? [] : validateCidr(place, text));
  const errors = formOf(child(field, 'cidr'), cidr);
  const whole = parseCidr(cidr);
  if (!whole) return errors;
  const ofParts = except.flatMap((text, index) => {
    const place = at(child(field, 'except'), index);
    const part = parseCidr(text);
    const isInside = !part || isStrictSubset(part, whole);
    return [
      ...formOf(place, text),
      ...(isInside ? [] : [invalidValue(place, text, 'must be a strict subset of `cidr`')]),
    ];
  });
  return [...errors, ...ofParts];
}

/** The ranges of a policy's peers. */
function rangesOf({ spec = {} }: NetworkPolicy): string[] {
  const peers = [
    ...(spec.ingress ?? []).flatMap(({ from = [] }) => from),
    ...(spec.egress ?? []).flatMap(({ to = [] }) => to),
  ];
  return peers.flatMap(({ ipBlock }) => (ipBlock ? [ipBlock.cidr, ...(ipBlock.except ?? [])] : []));
}
