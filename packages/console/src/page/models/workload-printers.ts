import { age, ageColumn, column, nameColumn, type Printer } from '@wherry/kubeapi/printers';
import type { Deployment, Service } from '@wherry/kubeapi/types';

/** Prints deployments. The API server's own printer checks selectors too, for which it needs the whole of their rules. */
export const deploymentPrinter: Printer<Deployment> = {
  columns: [
    ...[nameColumn, column('Ready'), column('Up-to-date'), column('Available'), ageColumn],
    column('Images'),
  ],
  cells: ({ metadata, spec, status }, nowMs) => [
    metadata.name ?? '',
    `${status?.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
    status?.updatedReplicas ?? 0,
    status?.availableReplicas ?? 0,
    age(metadata.creationTimestamp, nowMs),
    (spec.template.spec?.containers ?? []).map(({ image }) => image ?? '').join(', '),
  ],
};

/** Prints services. */
export const servicePrinter: Printer<Service> = {
  columns: [
    ...[nameColumn, column('Type'), column('Cluster-IP'), column('External-IP'), column('Ports')],
    ...[ageColumn, column('Selector')],
  ],
  cells: ({ metadata, spec, status }, nowMs) => [
    metadata.name ?? '',
    spec?.type ?? '',
    spec?.clusterIPs?.join(', ') ?? spec?.clusterIP ?? '',
    externalText({ spec, status }),
    (spec?.ports ?? [])
      .map(({ port, nodePort, protocol }) => `${port}${nodePort ? `:${nodePort}` : ''}/${protocol ?? 'TCP'}`)
      .join(', '),
    age(metadata.creationTimestamp, nowMs),
    Object.entries(spec?.selector ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .join(', '),
  ],
};

function externalText({ spec, status }: Pick<Service, 'spec' | 'status'>): string {
  if (spec?.type === 'ExternalName') return spec.externalName ?? '';
  const given = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip ?? hostname ?? '');
  return [...given, ...(spec?.externalIPs ?? [])].join(', ');
}
