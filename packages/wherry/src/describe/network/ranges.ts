import type { IngressClass, IPAddress, ServiceCIDR } from '@wherry/kubeapi';
import type { Surroundings } from '../surroundings.ts';
import { conditionTable } from '../text/conditions.ts';
import { metadataLines } from '../text/labels.ts';
import { field, type Lines, section } from '../text/lines.ts';

/** Who serves ingresses of a class. */
export async function describeIngressClass(one: IngressClass, surroundings: Surroundings): Promise<Lines> {
  const { metadata, spec } = one;
  const parameters = spec?.parameters;
  return [
    field('Name', metadata.name),
    ...metadataLines(metadata),
    field('Controller', spec?.controller),
    ...(parameters
      ? section('Parameters', [
          ...(parameters.apiGroup === undefined ? [] : [field('APIGroup', parameters.apiGroup)]),
          field('Kind', parameters.kind),
          field('Name', parameters.name),
        ])
      : []),
    ...(await surroundings.events(one)),
  ];
}

/** A range that services have their addresses of. */
export async function describeServiceRange(range: ServiceCIDR, surroundings: Surroundings): Promise<Lines> {
  const { metadata, spec, status } = range;
  const conditions = status?.conditions ?? [];
  return [
    field('Name', metadata.name),
    ...metadataLines(metadata),
    field('CIDRs', (spec?.cidrs ?? []).join(', ')),
    ...(conditions.length > 0 ? ['Status:', ...conditionTable(conditions)] : []),
    ...(await surroundings.events(range)),
  ];
}

/** An address that is taken, and what by. */
export async function describeAddress(address: IPAddress, surroundings: Surroundings): Promise<Lines> {
  const { metadata, spec } = address;
  const parent = spec?.parentRef;
  return [
    field('Name', metadata.name),
    ...metadataLines(metadata),
    ...(parent
      ? section('Parent Reference', [
          field('Group', parent.group),
          field('Resource', parent.resource),
          field('Namespace', parent.namespace),
          field('Name', parent.name),
        ])
      : []),
    ...(await surroundings.events(address)),
  ];
}
