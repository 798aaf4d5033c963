/** Space that CSI drivers tell of. */

import type { CSIStorageCapacity } from '../../generated/types.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { type FieldError, invalidValue } from '../../status/field-error.ts';
import { column, nameColumn, type Printer } from '../../table/printer.ts';
import { dnsSubdomain } from '../../validation/formats.ts';
import { check, immutable, isInvalidSelector, validateSelector } from '../../validation/metadata.ts';
import { parseQuantity } from '../../values/quantity.ts';
import type { KindDefinition } from '../definition.ts';

const printer: Printer<CSIStorageCapacity> = {
  columns: [nameColumn, column('StorageClassName'), column('Capacity')],
  cells: ({ metadata, storageClassName, capacity }) => [
    metadata?.name ?? '',
    storageClassName,
    capacity ?? '<unset>',
  ],
};

/** Space that CSI drivers tell of. */
export const csiStorageCapacity: KindDefinition<CSIStorageCapacity> = {
  group: 'storage.k8s.io',
  kind: 'CSIStorageCapacity',
  printer,
  validate: validateCapacity,
  validateUpdate: (next, previous) => [
    ...validateCapacity(next, previous),
    ...(['nodeTopology', 'storageClassName'] as const).flatMap((name) =>
      immutable(name, next[name] as JsonValue | undefined, previous[name] as JsonValue | undefined),
    ),
  ],
  descriptions: {
    CSIStorageCapacity: { '': 'How much storage of a class there is for nodes of a topology.' },
  },
};

function validateCapacity(
  { nodeTopology, storageClassName, capacity }: CSIStorageCapacity,
  previous?: CSIStorageCapacity,
): FieldError[] {
  const isNegative = capacity !== undefined && parseQuantity(capacity).sign() < 0;
  return [
    ...validateSelector(nodeTopology, 'nodeTopology', isInvalidSelector(previous?.nodeTopology)),
    ...check('storageClassName', storageClassName ?? '', dnsSubdomain),
    ...(isNegative ? [invalidValue('capacity', capacity, 'must be greater than or equal to 0')] : []),
  ];
}
