import { kinds } from '@wherry/client';
import {
  type Ingress,
  type IngressBackend,
  type IngressServiceBackend,
  type IngressTLS,
  type ServicePort,
  StatusError,
} from '@wherry/kubeapi';
import type { Surroundings } from '../surroundings.ts';
import { annotationLines, labelLines } from '../text/labels.ts';
import { columns, field, type Lines, section } from '../text/lines.ts';
import { sortedBy } from '../text/values.ts';
import { addressesText, slicesOf } from './endpoint-addresses.ts';

/** An ingress: which hosts and paths it takes, and where to. */
export async function describeIngress(ingress: Ingress, surroundings: Surroundings): Promise<Lines> {
  const { metadata, spec = {} } = ingress;
  const { namespace, name, labels, annotations } = metadata;
  const backendText = (backend: IngressBackend) => textOf(backend, namespace, surroundings);
  const otherwise = spec.defaultBackend ? await backendText(spec.defaultBackend) : '<default>';
  return [
    field('Name', name),
    ...labelLines('Labels', labels),
    field('Namespace', namespace),
    field('Address', addressText(ingress)),
    field('Ingress Class', spec.ingressClassName ?? '<none>'),
    field('Default backend', otherwise),
    ...tlsLines(spec.tls),
    ...(await ruleLines(ingress, { backendText, otherwise })),
    ...annotationLines('Annotations', annotations),
    ...(await surroundings.events(ingress)),
  ];
}

function addressText({ status }: Ingress): string {
  const all = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '');
  return sortedBy([...new Set(all.filter((text) => text !== ''))], (text) => text).join(',');
}

function tlsLines(all: readonly IngressTLS[] | undefined = []): Lines {
  if (all.length === 0) return [];
  const texts = all.map(({ secretName, hosts = [] }) =>
    secretName ? `${secretName} terminates ${hosts.join(',')}` : `SNI routes ${hosts.join(',')}`,
  );
  return section('TLS', texts);
}

async function ruleLines(
  { spec }: Ingress,
  { backendText, otherwise }: { backendText(backend: IngressBackend): Promise<string>; otherwise: string },
): Promise<Lines> {
  const lines: string[] = [];
  for (const { host, http } of spec?.rules ?? []) {
    if (!http) continue;
    lines.push(`${host || '*'}\t`);
    for (const { path = '', backend } of http.paths ?? [])
      lines.push(`  \t${path} \t${await backendText(backend)}`);
  }
  const rows = lines.length === 0 ? [`*\t*\t${otherwise}`] : lines;
  return section('Rules', [...columns(['Host', 'Path', 'Backends'], []), ...rows]);
}

async function textOf(
  { service, resource }: IngressBackend,
  namespace: string | undefined,
  surroundings: Surroundings,
): Promise<string> {
  if (service) return serviceText(service, namespace, surroundings);
  if (!resource) return '';
  const { apiGroup = '<none>', kind, name } = resource;
  return `APIGroup: ${apiGroup}, Kind: ${kind}, Name: ${name}`;
}

/** A service's name and port with the addresses behind it, or with why they can't be told. */
async function serviceText(
  { name, port }: IngressServiceBackend,
  namespace: string | undefined,
  surroundings: Surroundings,
): Promise<string> {
  const title = `${name}:${port?.number || (port?.name ?? '')}`;
  try {
    const slices = await slicesOf(name, namespace, surroundings);
    const { spec } = await surroundings.get(kinds.services, { name, namespace });
    const isMeant = (one: ServicePort) =>
      port?.number ? one.port === port.number : Boolean(port?.name) && one.name === port?.name;
    const portName = (spec?.ports ?? []).findLast(isMeant)?.name ?? '';
    return `${title} (${addressesText(slices, portName)})`;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return `${title} (<error: ${error.message}>)`;
  }
}
