import type { Endpoint, EndpointSlice, EndpointSubset, Endpoints } from '@wherry/kubeapi';
import type { Surroundings } from '../surroundings.ts';
import { headLines, metadataLines } from '../text/labels.ts';
import { columns, field, given, indented, type Lines, section } from '../text/lines.ts';

/** Addresses behind a service, as one object. */
export async function describeEndpoints(endpoints: Endpoints, surroundings: Surroundings): Promise<Lines> {
  return [
    ...headLines(endpoints.metadata),
    ...metadataLines(endpoints.metadata),
    'Subsets:',
    ...(endpoints.subsets ?? []).flatMap(subsetLines),
    ...(await surroundings.events(endpoints)),
  ];
}

function subsetLines({ addresses = [], notReadyAddresses = [], ports = [] }: EndpointSubset): Lines {
  const texts = (all: readonly { ip: string }[]) => all.map(({ ip }) => ip).join(',') || '<none>';
  const rows = ports.map(({ name, port, protocol }) => [name || '<unset>', port, protocol]);
  return [
    ...indented([
      field('Addresses', texts(addresses)),
      field('NotReadyAddresses', texts(notReadyAddresses)),
      ...(rows.length > 0 ? section('Ports', columns(['Name', 'Port', 'Protocol'], rows)) : []),
    ]),
    '',
  ];
}

/** Some of the addresses behind a service, with what is known of each. */
export async function describeEndpointSlice(
  slice: EndpointSlice,
  surroundings: Surroundings,
): Promise<Lines> {
  const { metadata, addressType, ports, endpoints } = slice;
  const rows = (ports ?? []).map(({ name, port, protocol }) => [
    ...[name || '<unset>', port ?? '<unset>', protocol],
  ]);
  return [
    ...headLines(metadata),
    ...metadataLines(metadata),
    field('AddressType', addressType),
    ...(rows.length === 0
      ? ['Ports: <unset>']
      : section('Ports', columns(['Name', 'Port', 'Protocol'], rows))),
    ...((endpoints ?? []).length === 0
      ? ['Endpoints: <none>']
      : section('Endpoints', (endpoints ?? []).flatMap(endpointLines))),
    ...(await surroundings.events(slice)),
  ];
}

function endpointLines({ addresses, conditions, hostname, targetRef, nodeName, zone }: Endpoint): Lines {
  return [
    field('- Addresses', (addresses ?? []).join(', ') || '<none>'),
    ...indented([
      ...section('Conditions', [field('Ready', conditions?.ready ?? '<unset>')]),
      field('Hostname', hostname ?? '<unset>'),
      ...given('TargetRef', targetRef && `${targetRef.kind ?? ''}/${targetRef.name ?? ''}`),
      field('NodeName', nodeName ?? '<unset>'),
      field('Zone', zone ?? '<unset>'),
    ]),
  ];
}
