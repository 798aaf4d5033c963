/** Which CSI drivers a node has (upstream: pkg/apis/storage/validation). */

import type { CSINode, CSINodeDriver } from '../../generated/types.ts';
import type { JsonValue } from '../../json/json-value.ts';
import {
  at,
  child,
  duplicate,
  type FieldError,
  type FieldPath,
  invalidValue,
  required,
} from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import { qualifiedName } from '../../validation/formats.ts';
import { check, immutable, nonNegative } from '../../validation/metadata.ts';
import { validateCsiDriverName } from '../../validation/references.ts';
import { repeats } from '../../validation/repeats.ts';
import type { KindDefinition } from '../definition.ts';

const nodeIdLengthMax = 256;
const place = 'spec.drivers';

const printer: Printer<CSINode> = {
  columns: [nameColumn, column('Drivers', 'integer'), ageColumn],
  cells: ({ metadata, spec }, nowMs) => [
    ...[metadata.name ?? '', spec.drivers.length, age(metadata.creationTimestamp, nowMs)],
  ],
};

/** Which CSI drivers a node has (upstream: pkg/apis/storage/validation). */
export const csiNode: KindDefinition<CSINode> = {
  group: 'storage.k8s.io',
  kind: 'CSINode',
  printer,
  validate: validateCsiNode,
  validateUpdate: validateCsiNodeUpdate,
};

/** Violations in a CSINode. */
function validateCsiNode({ spec }: CSINode): FieldError[] {
  const seen = new Set<string>();
  return (spec.drivers ?? []).flatMap((driver, index) => {
    const field = at(place, index);
    const isRepeated = seen.has(driver.name);
    seen.add(driver.name);
    return [
      ...validateDriver(driver, field),
      ...(isRepeated ? [duplicate(child(field, 'name'), driver.name)] : []),
    ];
  });
}

/** Violations in a change of a CSINode: drivers come and go, but stay what they are. */
function validateCsiNodeUpdate(next: CSINode, previous: CSINode): FieldError[] {
  const drivers = Map.groupBy(next.spec.drivers ?? [], ({ name }) => name);
  return [
    ...validateCsiNode(next),
    ...(previous.spec.drivers ?? []).flatMap((before) =>
      (drivers.get(before.name) ?? []).flatMap((after) =>
        immutable(place, fixedParts(after), fixedParts(before)),
      ),
    ),
  ];
}

const fixedParts = ({ allocatable: _, ...rest }: CSINodeDriver) => rest as unknown as JsonValue;

function validateDriver(driver: CSINodeDriver, field: FieldPath): FieldError[] {
  const { name, nodeID, topologyKeys = [], allocatable } = driver;
  const id = child(field, 'nodeID');
  const isRepeat = repeats<string>();
  const long = (at_: FieldPath, text: string, length: number) =>
    text.length > length ? [invalidValue(at_, text, `must be ${length} characters or less`)] : [];
  return [
    ...validateCsiDriverName(child(field, 'name'), name),
    ...(nodeID ? long(id, nodeID, nodeIdLengthMax) : [required(id)]),
    ...nonNegative(child(field, 'allocatable', 'count'), allocatable?.count),
    // Upstream tells of the driver, not of the key.
    ...topologyKeys.flatMap((key) => [
      ...(key === '' ? [required(field)] : []),
      ...check(field, key, qualifiedName),
      ...(isRepeat(key) ? [duplicate(field, key)] : []),
    ]),
  ];
}
