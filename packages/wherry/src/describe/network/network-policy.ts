import type {
  NetworkPolicy,
  NetworkPolicyEgressRule,
  NetworkPolicyIngressRule,
  NetworkPolicyPeer,
  NetworkPolicyPort,
} from '@wherry/kubeapi';
import { headLines, metadataLines, selectorOrNone } from '../text/labels.ts';
import { field, indented, type Lines } from '../text/lines.ts';
import { plainTime } from '../text/times.ts';

/** A network policy: whose connections it is about, and which it lets through. */
export function describeNetworkPolicy({ metadata, spec }: NetworkPolicy): Lines {
  const { podSelector, policyTypes = [], ingress = [], egress = [] } = spec ?? {};
  const selected = selectorOrNone(podSelector);
  const all = '<none> (Allowing the specific traffic to all pods in this namespace)';
  return [
    ...headLines(metadata),
    field('Created on', plainTime(metadata.creationTimestamp)),
    ...metadataLines(metadata),
    'Spec:',
    // Two texts that are moved to the right, each by itself, as kubectl has it.
    `  PodSelector:     ${selected === '<none>' ? all : selected}`,
    ...indented([
      ...(policyTypes.includes('Ingress')
        ? ['Allowing ingress traffic:', ...ruleLines(ingress.map(fromRule), inbound)]
        : ['Not affecting ingress traffic']),
      ...(policyTypes.includes('Egress')
        ? ['Allowing egress traffic:', ...ruleLines(egress.map(toRule), outbound)]
        : ['Not affecting egress traffic']),
      `Policy Types: ${policyTypes.join(', ') || '<none>'}`,
    ]),
  ];
}

interface Rule {
  ports: readonly NetworkPolicyPort[];
  peers: readonly NetworkPolicyPeer[];
}

const fromRule = ({ ports = [], from = [] }: NetworkPolicyIngressRule): Rule => ({ ports, peers: from });
const toRule = ({ ports = [], to = [] }: NetworkPolicyEgressRule): Rule => ({ ports, peers: to });

const inbound = { peer: 'From', end: 'source', way: 'ingress' };
const outbound = { peer: 'To', end: 'destination', way: 'egress' };

function ruleLines(rules: readonly Rule[], { peer, end, way }: typeof inbound): Lines {
  if (rules.length === 0) return [`  <none> (Selected pods are isolated for ${way} connectivity)`];
  const any = [`${peer}: <any> (traffic not restricted by ${end})`];
  const texts = rules.map(({ ports, peers }) => [
    ...(ports.length === 0 ? ['To Port: <any> (traffic allowed to all ports)'] : ports.map(portText)),
    ...(peers.length === 0 ? any : peers.flatMap((one) => [`${peer}:`, ...indented(peerLines(one))])),
  ]);
  return indented(texts.flatMap((lines, at) => (at === 0 ? lines : ['----------', ...lines])));
}

function portText({ port = '<nil>', endPort, protocol = 'TCP' }: NetworkPolicyPort): string {
  return endPort === undefined
    ? `To Port: ${port}/${protocol}`
    : `To Port Range: ${port}-${endPort}/${protocol}`;
}

function peerLines({ namespaceSelector, podSelector, ipBlock }: NetworkPolicyPeer): Lines {
  if (namespaceSelector || podSelector)
    return [
      ...(namespaceSelector ? [`NamespaceSelector: ${selectorOrNone(namespaceSelector)}`] : []),
      ...(podSelector ? [`PodSelector: ${selectorOrNone(podSelector)}`] : []),
    ];
  if (!ipBlock) return [];
  const { cidr, except = [] } = ipBlock;
  return ['IPBlock:', `  CIDR: ${cidr}`, `  Except: ${except.join(', ')}`];
}
