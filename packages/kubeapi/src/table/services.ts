/** Rows of services, endpoints, configuration and storage. */
import type {
  ConfigMap,
  EndpointSlice,
  Endpoints,
  PersistentVolume,
  PersistentVolumeClaim,
  Secret,
  Service,
  StorageClass,
} from '../generated/types.ts';
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

const accessModes: Record<string, string> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};
const modeText = (modes: readonly string[] | undefined) =>
  Object.entries(accessModes)
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',');

/** Prints persistent volumes. */
export const persistentVolumePrinter: Printer<PersistentVolume> = {
  columns: [
    ...[nameColumn, column('Capacity'), column('Access Modes'), column('Reclaim Policy'), column('Status')],
    ...[
      column('Claim'),
      column('StorageClass'),
      column('VolumeAttributesClass'),
      column('Reason'),
      ageColumn,
    ],
    wide('VolumeMode'),
  ],
  cells: ({ metadata, spec, status }, nowMs) => [
    ...[metadata.name ?? '', spec.capacity?.['storage'] ?? '0', modeText(spec.accessModes)],
    ...[
      spec.persistentVolumeReclaimPolicy ?? '',
      metadata.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
    ],
    spec.claimRef ? `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}` : '',
    ...[spec.storageClassName ?? '', spec.volumeAttributesClassName ?? '<unset>', status?.reason ?? ''],
    ...[age(metadata.creationTimestamp, nowMs), spec.volumeMode ?? '<unset>'],
  ],
};

/** Prints claims on persistent volumes. */
export const persistentVolumeClaimPrinter: Printer<PersistentVolumeClaim> = {
  columns: [
    ...[nameColumn, column('Status'), column('Volume'), column('Capacity'), column('Access Modes')],
    ...[column('StorageClass'), column('VolumeAttributesClass'), ageColumn, wide('VolumeMode')],
  ],
  cells: ({ metadata, spec, status }, nowMs) => [
    ...[
      metadata.name ?? '',
      metadata.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
      spec.volumeName ?? '',
    ],
    spec.volumeName ? (status?.capacity?.['storage'] ?? '0') : '',
    spec.volumeName ? modeText(status?.accessModes) : '',
    ...[spec.storageClassName ?? '', spec.volumeAttributesClassName ?? '<unset>'],
    ...[age(metadata.creationTimestamp, nowMs), spec.volumeMode ?? '<unset>'],
  ],
};

const defaultClass = 'storageclass.kubernetes.io/is-default-class';

/** Prints storage classes. */
export const storageClassPrinter: Printer<StorageClass> = {
  columns: [
    ...[nameColumn, column('Provisioner'), column('ReclaimPolicy'), column('VolumeBindingMode')],
    ...[column('AllowVolumeExpansion'), ageColumn],
  ],
  cells: ({ metadata, provisioner, reclaimPolicy, volumeBindingMode, allowVolumeExpansion }, nowMs) => [
    `${metadata.name ?? ''}${metadata.annotations?.[defaultClass] === 'true' ? ' (default)' : ''}`,
    ...[
      provisioner,
      reclaimPolicy ?? 'Delete',
      volumeBindingMode ?? 'Immediate',
      allowVolumeExpansion ?? false,
    ],
    age(metadata.creationTimestamp, nowMs),
  ],
};
