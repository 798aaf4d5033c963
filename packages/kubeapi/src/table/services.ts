/** Rows of services, endpoints and configuration. */
import type { ConfigMap, EndpointSlice, Endpoints, Secret, Service } from '../generated/types.ts';
import { age } from './human-duration.ts';
import {
  ageColumn,
  column,
  firstThree,
  labelText,
  nameColumn,
  orNone,
  type Printer,
  wide,
} from './printer.ts';

/** Prints services. */
export const servicePrinter: Printer<Service> = {
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

function externalAddresses(spec: Service['spec'], ingress: string[]): string {
  if (spec.type === 'ExternalName') return spec.externalName ?? '';
  const own = spec.externalIPs ?? [];
  if (spec.type !== 'LoadBalancer') return orNone(own.join(','));
  const addresses = new Set(ingress.filter((address) => address !== ''));
  return [...[...addresses].sort(), ...own].join(',') || '<pending>';
}

/** Prints endpoints. */
export const endpointsPrinter: Printer<Endpoints> = {
  columns: [nameColumn, column('Endpoints'), ageColumn],
  cells({ metadata, subsets }, nowMs) {
    const addresses = (subsets ?? []).flatMap(({ addresses = [], ports = [] }) =>
      ports.length === 0
        ? addresses.map(({ ip }) => ip)
        : ports.flatMap(({ port }) =>
            addresses.map(({ ip }) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)),
          ),
    );
    return [
      metadata.name ?? '',
      subsets?.length && addresses.length === 0 ? '' : firstThree(addresses),
      age(metadata.creationTimestamp, nowMs),
    ];
  },
};

/** Prints endpoint slices. */
export const endpointSlicePrinter: Printer<EndpointSlice> = {
  columns: [nameColumn, column('AddressType'), column('Ports'), column('Endpoints'), ageColumn],
  cells: ({ metadata, addressType, ports, endpoints }, nowMs) => [
    ...[metadata.name ?? '', addressType],
    firstThree((ports ?? []).map(({ port, name }) => String(port ?? name ?? '*'))).replace(
      '<none>',
      '<unset>',
    ),
    firstThree((endpoints ?? []).flatMap(({ addresses }) => addresses)).replace('<none>', '<unset>'),
    age(metadata.creationTimestamp, nowMs),
  ],
};

/** Prints config maps. */
export const configMapPrinter: Printer<ConfigMap> = {
  columns: [nameColumn, column('Data'), ageColumn],
  cells: ({ metadata, data, binaryData }, nowMs) => [
    metadata.name ?? '',
    Object.keys(data ?? {}).length + Object.keys(binaryData ?? {}).length,
    age(metadata.creationTimestamp, nowMs),
  ],
};

/** Prints secrets. */
export const secretPrinter: Printer<Secret> = {
  columns: [nameColumn, column('Type'), column('Data'), ageColumn],
  cells: ({ metadata, type, data }, nowMs) => [
    ...[metadata.name ?? '', type ?? '', Object.keys(data ?? {}).length],
    age(metadata.creationTimestamp, nowMs),
  ],
};
