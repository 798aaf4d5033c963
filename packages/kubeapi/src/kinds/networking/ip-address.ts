/** Addresses of services. */

import type { IPAddress } from '../../generated/types.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { type FieldError, required } from '../../status/field-error.ts';
import { column, nameColumn, type Printer } from '../../table/printer.ts';
import { ipAddress as addressFormat, dnsSubdomain } from '../../validation/formats.ts';
import { check, immutable } from '../../validation/metadata.ts';
import { requiredName } from '../../validation/references.ts';
import type { KindDefinition } from '../definition.ts';

const printer: Printer<IPAddress> = {
  columns: [nameColumn, column('ParentRef')],
  cells: ({ metadata, spec }) => {
    const { group = '', resource = '', namespace = '', name = '' } = spec?.parentRef ?? {};
    const place = [
      `${resource}${group && `.${group}`}`.toLowerCase(),
      ...(namespace ? [namespace] : []),
      name,
    ];
    return [metadata?.name ?? '', spec?.parentRef ? place.join('/') : '<none>'];
  },
};

/** Addresses of services. */
export const ipAddress: KindDefinition<IPAddress> = {
  group: 'networking.k8s.io',
  kind: 'IPAddress',
  nameFormat: addressFormat,
  printer,
  validate: validateAddress,
  validateUpdate: (next, previous) => [
    ...validateAddress(next),
    ...immutable('spec.parentRef', asJson(next), asJson(previous)),
  ],
};

const asJson = ({ spec }: IPAddress) => spec?.parentRef as unknown as JsonValue;

function validateAddress({ spec }: IPAddress): FieldError[] {
  const place = 'spec.parentRef';
  if (!spec?.parentRef) return [required(place)];
  const { group, resource, name, namespace } = spec.parentRef;
  return [
    ...(group ? check(`${place}.group`, group, dnsSubdomain) : []),
    ...requiredName(`${place}.resource`, resource),
    ...requiredName(`${place}.name`, name),
    ...(namespace ? requiredName(`${place}.namespace`, namespace) : []),
  ];
}
