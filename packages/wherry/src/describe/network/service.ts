import {
  type EndpointSlice,
  type LoadBalancerIngress,
  type Service,
  type ServicePort,
  StatusError,
} from '@wherry/kubeapi';
import type { Surroundings } from '../surroundings.ts';
import { headLines, labelText, metadataLines } from '../text/labels.ts';
import { field, given, type Lines } from '../text/lines.ts';
import { addressesText, slicesOf } from './endpoint-addresses.ts';

/** A service: its addresses and ports, and what stands behind each. */
export async function describeService(service: Service, surroundings: Surroundings): Promise<Lines> {
  const { metadata, spec = {}, status } = service;
  const ingress = status?.loadBalancer?.ingress ?? [];
  const slices = await readSlices(service, surroundings);
  return [
    ...headLines(metadata),
    ...metadataLines(metadata),
    field('Selector', labelText(spec.selector)),
    field('Type', spec.type),
    ...given('IP Family Policy', spec.ipFamilyPolicy),
    field('IP Families', joined(spec.ipFamilies) ?? '<none>'),
    field('IP', spec.clusterIP),
    field('IPs', joined(spec.clusterIPs) ?? '<none>'),
    ...given('External IPs', joined(spec.externalIPs)),
    ...given('Desired LoadBalancer IP', spec.loadBalancerIP),
    ...given('External Name', spec.externalName),
    ...(ingress.length > 0 ? [field('LoadBalancer Ingress', ingress.map(ingressText).join(', '))] : []),
    ...(spec.ports ?? []).flatMap((port) => portLines(port, slices)),
    field('Session Affinity', spec.sessionAffinity),
    ...given('External Traffic Policy', spec.externalTrafficPolicy),
    ...given('Internal Traffic Policy', spec.internalTrafficPolicy),
    ...given('HealthCheck NodePort', spec.healthCheckNodePort || undefined),
    ...given('LoadBalancer Source Ranges', joined(spec.loadBalancerSourceRanges)),
    ...given('Traffic Distribution', spec.trafficDistribution),
    ...(await surroundings.events(service)),
  ];
}

/** None where they may not be read. */
async function readSlices({ metadata }: Service, surroundings: Surroundings): Promise<EndpointSlice[]> {
  try {
    return await slicesOf(metadata.name ?? '', metadata.namespace, surroundings);
  } catch (error) {
    if (error instanceof StatusError) return [];
    throw error;
  }
}

const joined = (texts: readonly string[] | undefined): string | undefined =>
  texts && texts.length > 0 ? texts.join(',') : undefined;

const ingressText = ({ ip, ipMode, hostname = '' }: LoadBalancerIngress): string =>
  ip ? `${ip}${ipMode === undefined ? '' : ` (${ipMode})`}` : hostname;

function portLines(servicePort: ServicePort, slices: readonly EndpointSlice[]): Lines {
  const { port, protocol = '', targetPort, appProtocol, nodePort } = servicePort;
  const name = servicePort.name || '<unset>';
  return [
    field('Port', `${name}\t${port}/${protocol}`),
    field('TargetPort', `${targetPort ?? 0}/${protocol}`),
    ...given('AppProtocol', appProtocol),
    ...(nodePort ? [field('NodePort', `${name}\t${nodePort}/${protocol}`)] : []),
    field('Endpoints', addressesText(slices, servicePort.name ?? '')),
  ];
}
