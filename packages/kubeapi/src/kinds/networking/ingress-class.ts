/** Ingress classes. */
import type { IngressClass } from '../../generated/types.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import type { KindDefinition } from '../definition.ts';

const defaultClass = 'ingressclass.kubernetes.io/is-default-class';

const printer: Printer<IngressClass> = {
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

/** Ingress classes. */
export const ingressClass: KindDefinition<IngressClass> = {
  group: 'networking.k8s.io',
  kind: 'IngressClass',
  printer,
  defaults: {
    IngressClassParametersReference: { scope: 'Cluster' },
  },
};
