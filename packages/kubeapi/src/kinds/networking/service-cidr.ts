/** Ranges of service addresses. */

import type { ServiceCIDR } from '../../generated/types.ts';
import { at, type FieldError, invalidValue, required } from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import { parseCidr, validateNetwork } from '../../validation/addresses/cidr.ts';
import { immutable } from '../../validation/metadata.ts';
import type { KindDefinition } from '../definition.ts';

const printer: Printer<ServiceCIDR> = {
  columns: [nameColumn, column('CIDRs'), ageColumn],
  cells: ({ metadata, spec }, nowMs) => [
    ...[metadata?.name ?? '', (spec?.cidrs ?? []).join(',')],
    age(metadata?.creationTimestamp, nowMs),
  ],
};

/** Ranges of service addresses. */
export const serviceCidr: KindDefinition<ServiceCIDR> = {
  group: 'networking.k8s.io',
  kind: 'ServiceCIDR',
  printer,
  validate: ({ spec }) => validateRanges(spec?.cidrs ?? []),
  validateUpdate: (next, previous) => validateKept(next.spec?.cidrs ?? [], previous.spec?.cidrs ?? []),
  validateSubresource: { status: () => [] },
};

function validateRanges(cidrs: readonly string[]): FieldError[] {
  const field = 'spec.cidrs';
  if (cidrs.length === 0) return [required(field, 'at least one CIDR required')];
  if (cidrs.length > 2) return [invalidValue(field, [...cidrs], 'may only hold up to 2 values')];
  const [first, second] = cidrs.map((text) => parseCidr(text)?.family);
  return [
    ...cidrs.flatMap((text, index) => validateNetwork(at(field, index), text)),
    ...(first !== undefined && first === second
      ? [invalidValue(field, [...cidrs], 'may specify no more than one IP for each IP family')]
      : []),
  ];
}

/** A second family may join; nothing else changes. */
function validateKept(next: readonly string[], previous: readonly string[]): FieldError[] {
  const field = 'spec.cidrs';
  const grows = previous.length === 1 && next.length === 2;
  if (previous.length !== next.length && !grows)
    return [invalidValue(field, [...next], 'field is immutable')];
  return [
    ...previous.flatMap((text, index) => immutable(at(field, index), next[index], text)),
    ...(grows ? validateRanges(next) : []),
  ];
}
