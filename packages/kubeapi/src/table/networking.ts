/** Rows of what lets traffic in and out. */
import type { Ingress, IngressClass, NetworkPolicy } from '../generated/types.ts';
import { age } from './human-duration.ts';
import { ageColumn, column, nameColumn, orNone, type Printer, selectorText } from './printer.ts';

/** Prints ingresses. */
export const ingressPrinter: Printer<Ingress> = {
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

function hosts(rules: NonNullable<Ingress['spec']['rules']>): string {
  const named = rules.map(({ host }) => host ?? '').filter((host) => host !== '');
  if (named.length === 0) return '*';
  const shown = named.slice(0, 3).join(',');
  return named.length >= 3 && rules.length > 3 ? `${shown} + ${rules.length - 3} more...` : shown;
}

const defaultClass = 'ingressclass.kubernetes.io/is-default-class';

/** Prints ingress classes. */
export const ingressClassPrinter: Printer<IngressClass> = {
  columns: [nameColumn, column('Controller'), column('Parameters'), ageColumn],
  cells: ({ metadata, spec: { controller, parameters } }, nowMs) => {
    const group = parameters?.apiGroup === undefined ? '' : `.${parameters.apiGroup}`;
    return [
      `${metadata.name ?? ''}${metadata.annotations?.[defaultClass] === 'true' ? ' (default)' : ''}`,
      ...[controller ?? '', parameters ? `${parameters.kind}${group}/${parameters.name}` : '<none>'],
      age(metadata.creationTimestamp, nowMs),
    ];
  },
};

/** Prints network policies. */
export const networkPolicyPrinter: Printer<NetworkPolicy> = {
  columns: [nameColumn, column('Pod-Selector'), ageColumn],
  cells: ({ metadata, spec }, nowMs) => [
    ...[metadata.name ?? '', orNone(selectorText(spec.podSelector)), age(metadata.creationTimestamp, nowMs)],
  ],
};
