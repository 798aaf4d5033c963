/** Ingress classes. */

import type { IngressClass, IngressClassParametersReference } from '../../generated/types.ts';
import {
  child,
  type FieldError,
  forbiddenField,
  notSupported,
  required,
  tooLong,
} from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import { dnsLabel, dnsSubdomain } from '../../validation/formats.ts';
import { check, immutable } from '../../validation/metadata.ts';
import { domainPrefixedPath, requiredName } from '../../validation/references.ts';
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
  validate: validateIngressClass,
  validateUpdate: (next, previous) => [
    ...immutable('spec.controller', next.spec?.controller, previous.spec?.controller),
    ...validateIngressClass(next),
  ],
  defaults: {
    IngressClassParametersReference: { scope: 'Cluster' },
  },
};

const controllerBytesMax = 250;
const scopes = ['Cluster', 'Namespace'];

function validateIngressClass({ spec }: IngressClass): FieldError[] {
  const { controller = '', parameters } = spec ?? {};
  const isLong = Buffer.byteLength(controller) > controllerBytesMax;
  return [
    ...(isLong ? [tooLong('spec.controller', controllerBytesMax)] : []),
    ...domainPrefixedPath('spec.controller', controller),
    ...(parameters ? validateParameters(parameters) : []),
  ];
}

function validateParameters({
  apiGroup,
  kind,
  name,
  scope,
  namespace,
}: IngressClassParametersReference): FieldError[] {
  const field = 'spec.parameters';
  const errors = [
    ...(apiGroup === undefined ? [] : check(child(field, 'apiGroup'), apiGroup, dnsSubdomain)),
    ...requiredName(child(field, 'kind'), kind),
    ...requiredName(child(field, 'name'), name),
  ];
  const place = child(field, 'namespace');
  if (scope === undefined) errors.push(required(child(field, 'scope')));
  else if (!scopes.includes(scope)) errors.push(notSupported(child(field, 'scope'), scope, scopes));
  else if (scope === 'Cluster') {
    if (namespace !== undefined) errors.push(forbiddenField(place, "`parameters.scope` is set to 'Cluster'"));
  } else if (namespace === undefined)
    errors.push(required(place, "`parameters.scope` is set to 'Namespace'"));
  else errors.push(...check(place, namespace, dnsLabel));
  return errors;
}
