/** Services. */
import { items, object } from '../../../defaults/parts.ts';
import type { Service } from '../../../generated/types.ts';
import type { JsonObject } from '../../../json/json-value.ts';
import { age } from '../../../table/human-duration.ts';
import {
  ageColumn,
  column,
  labelText,
  nameColumn,
  orNone,
  type Printer,
  wide,
} from '../../../table/printer.ts';
import { dnsLabel } from '../../../validation/formats.ts';
import type { KindDefinition } from '../../definition.ts';
import { validateServiceStatus } from './status.ts';
import { validateService, validateServiceUpdate } from './validation.ts';

const printer: Printer<Service> = {
  columns: [
    ...[
      nameColumn,
      column('Type'),
      column('Cluster-IP'),
      column('External-IP'),
      column('Port(s)'),
      ageColumn,
    ],
    wide('Selector'),
  ],
  cells({ metadata, spec, status }, nowMs) {
    const ports = (spec.ports ?? []).map(({ port, nodePort, protocol }) =>
      (nodePort ?? 0) > 0 ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`,
    );
    const ingress = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '');
    return [
      ...[metadata.name ?? '', spec.type ?? '', orNone(spec.clusterIPs?.[0] ?? spec.clusterIP)],
      ...[externalAddresses(spec, ingress), orNone(ports.join(',')), age(metadata.creationTimestamp, nowMs)],
      labelText(spec.selector),
    ];
  },
};

/** Of which services have an address of their own. */
const addressedTypes: readonly unknown[] = ['ClusterIP', 'NodePort', 'LoadBalancer'];

/** Services. */
export const service: KindDefinition<Service> = {
  group: '',
  kind: 'Service',
  nameFormat: dnsLabel,
  printer,
  fieldLabels: { 'spec.clusterIP': '', 'spec.type': '' },
  validate: validateService,
  validateUpdate: validateServiceUpdate,
  validateSubresource: { status: validateServiceStatus },
  defaults: {
    ServiceSpec: { sessionAffinity: 'None', type: 'ClusterIP' },
  },
  computedDefaults: {
    Service: defaultService,
  },
  descriptions: {
    Service: { '': 'One address in front of pods.' },
    ServiceSpec: {
      '': 'What a service offers.',
      ports: 'Its ports.',
      selector: 'Labels of the pods behind it.',
      clusterIP: 'Its address inside the cluster; None for none.',
      type: 'ClusterIP, NodePort, LoadBalancer or ExternalName.',
      externalName: 'The name that an ExternalName service stands for.',
      sessionAffinity: 'ClientIP sends a client to the same pod.',
      externalIPs: 'Further addresses that lead to it.',
    },
    ServicePort: {
      '': 'A port of a service.',
      name: 'Its name; needed when there are several.',
      port: 'The number that clients use.',
      targetPort: 'The port of the pods, by number or name.',
      nodePort: 'The port on every node.',
      protocol: 'TCP, UDP or SCTP.',
      appProtocol: 'What is spoken on it.',
    },
  },
};

function externalAddresses(spec: Service['spec'], ingress: string[]): string {
  if (spec.type === 'ExternalName') return spec.externalName ?? '';
  const own = spec.externalIPs ?? [];
  if (spec.type === 'ClusterIP' || spec.type === 'NodePort') return orNone(own.join(','));
  if (spec.type !== 'LoadBalancer') return '<unknown>';
  const addresses = new Set(ingress.filter((address) => address !== ''));
  return [...[...addresses].sort(), ...own].join(',') || '<pending>';
}

function defaultService(service: JsonObject): void {
  const spec = object(service['spec']);
  const type = spec['type'] || 'ClusterIP';
  defaultSessionAffinity(spec);
  for (const port of items(spec['ports'])) {
    port['protocol'] ||= 'TCP';
    if (port['targetPort'] === undefined || port['targetPort'] === 0 || port['targetPort'] === '') {
      port['targetPort'] = port['port'] ?? 0;
    }
  }
  const hasExternalAddresses = Array.isArray(spec['externalIPs']) && spec['externalIPs'].length > 0;
  const isExternal =
    type === 'NodePort' || type === 'LoadBalancer' || (type === 'ClusterIP' && hasExternalAddresses);
  if (isExternal) spec['externalTrafficPolicy'] ||= 'Cluster';
  if (addressedTypes.includes(type)) spec['internalTrafficPolicy'] ??= 'Cluster';
  if (type !== 'LoadBalancer') return;
  spec['allocateLoadBalancerNodePorts'] ??= true;
  for (const entry of items(object(object(service['status'])['loadBalancer'])['ingress']))
    if (entry['ip']) entry['ipMode'] ??= 'VIP';
}

function defaultSessionAffinity(spec: JsonObject): void {
  const affinity = spec['sessionAffinity'] || 'None';
  if (affinity === 'None') delete spec['sessionAffinityConfig'];
  if (affinity !== 'ClientIP') return;
  const clientAddress = object(object(spec['sessionAffinityConfig'])['clientIP']);
  clientAddress['timeoutSeconds'] ??= 10_800;
  spec['sessionAffinityConfig'] = { clientIP: clientAddress };
}
