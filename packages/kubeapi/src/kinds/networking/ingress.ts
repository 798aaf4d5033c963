/** Ingresses. */

import type { Ingress } from '../../generated/types.ts';
import { child, type FieldError, invalidValue } from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import type { KindDefinition } from '../definition.ts';
import { ingressStatusErrors, validateIngressSpec } from './ingress-rules.ts';

const printer: Printer<Ingress> = {
  columns: [nameColumn, column('Class'), column('Hosts'), column('Address'), column('Ports'), ageColumn],
  cells: ({ metadata, spec, status }, nowMs) => {
    const addresses = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '');
    return [
      ...[metadata.name ?? '', spec.ingressClassName ?? '<none>', hosts(spec.rules ?? [])],
      [...new Set(addresses.filter((address) => address !== ''))].sort().join(','),
      ...[spec.tls?.length ? '80, 443' : '80', age(metadata.creationTimestamp, nowMs)],
    ];
  },
};

/** Ingresses. */
export const ingress: KindDefinition<Ingress> = {
  group: 'networking.k8s.io',
  kind: 'Ingress',
  printer,
  validate: (ingress) => [...validateIngressSpec(ingress.spec ?? {}), ...validateClass(ingress)],
  validateUpdate: ({ spec }, previous) => validateIngressSpec(spec ?? {}, previous.spec),
  validateSubresource: { status: ingressStatusErrors },
  descriptions: {
    Ingress: { '': 'Leads HTTP from outside to services.' },
  },
};

function hosts(rules: NonNullable<Ingress['spec']['rules']>): string {
  const named = rules.map(({ host }) => host ?? '').filter((host) => host !== '');
  if (named.length === 0) return '*';
  const shown = named.slice(0, 3).join(',');
  return named.length >= 3 && rules.length > 3 ? `${shown} + ${rules.length - 3} more...` : shown;
}

const classAnnotation = 'kubernetes.io/ingress.class';

/** The annotation is the class's older name; where both are told they agree. */
function validateClass({ metadata, spec }: Ingress): FieldError[] {
  const annotated = metadata?.annotations?.[classAnnotation];
  const { ingressClassName } = spec ?? {};
  if (annotated === undefined || ingressClassName === undefined || annotated === ingressClassName) return [];
  const detail = 'must match `ingressClassName` when both are specified';
  return [invalidValue(child('annotations', classAnnotation), annotated, detail)];
}
