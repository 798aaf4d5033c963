/** Violations in storage drivers, and in what a node says of them (upstream: pkg/apis/storage/validation). */
import {
  at,
  child,
  duplicate,
  type FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
  required,
} from '../../field-error.ts';
import type { CSIDriver, CSINode, CSINodeDriver } from '../../generated/types.ts';
import { type JsonValue, jsonEqual } from '../../json-value.ts';
import { dnsSubdomain, qualifiedName } from '../formats.ts';
import { check, immutable, nonNegative } from '../metadata.ts';

const driverNameLengthMax = 63;
const nodeIdLengthMax = 256;
const place = 'spec.drivers';

/** Violations in a CSINode. */
export function validateCsiNode({ spec }: CSINode): FieldError[] {
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
export function validateCsiNodeUpdate(next: CSINode, previous: CSINode): FieldError[] {
  const errors = validateCsiNode(next);
  for (const before of previous.spec.drivers ?? []) {
    const after = next.spec.drivers?.find(({ name }) => name === before.name);
    if (!after || jsonEqual(fixedParts(after), fixedParts(before))) continue;
    errors.push(invalidValue(place, fixedParts(after), 'field is immutable'));
  }
  return errors;
}

const fixedParts = ({ allocatable: _, ...rest }: CSINodeDriver) => rest as unknown as JsonValue;

function validateDriver(driver: CSINodeDriver, field: FieldPath): FieldError[] {
  const { name, nodeID, topologyKeys = [], allocatable } = driver;
  const id = child(field, 'nodeID');
  const long = (at_: FieldPath, text: string, length: number) =>
    text.length > length ? [invalidValue(at_, text, `must be ${length} characters or less`)] : [];
  return [
    ...(name
      ? check(child(field, 'name'), name.toLowerCase(), dnsSubdomain)
      : [required(child(field, 'name'))]),
    ...long(child(field, 'name'), name ?? '', driverNameLengthMax),
    ...(nodeID ? long(id, nodeID, nodeIdLengthMax) : [required(id)]),
    ...nonNegative(child(field, 'allocatable', 'count'), allocatable?.count),
    ...topologyKeys.flatMap((key, index) => [
      ...check(at(child(field, 'topologyKeys'), index), key, qualifiedName),
      ...(topologyKeys.indexOf(key) < index ? [duplicate(at(child(field, 'topologyKeys'), index), key)] : []),
    ]),
  ];
}

const groupPolicies = ['File', 'None', 'ReadWriteOnceWithFSType'];
const lifecycleModes = ['Persistent', 'Ephemeral'];

/** Violations in a CSIDriver. */
export function validateCsiDriver({ spec }: CSIDriver): FieldError[] {
  const { fsGroupPolicy: policy, volumeLifecycleModes: modes = [], tokenRequests: tokens = [] } = spec;
  const audiences = tokens.map(({ audience }) => audience);
  const unknown = modes.filter((mode) => !lifecycleModes.includes(mode));
  return [
    ...(policy === undefined || groupPolicies.includes(policy)
      ? []
      : [notSupported('spec.fsGroupPolicy', policy, groupPolicies)]),
    ...unknown.map((mode) => notSupported('spec.volumeLifecycleModes', mode, lifecycleModes)),
    ...tokens.flatMap(({ audience, expirationSeconds: seconds }, index) => {
      const field = at('spec.tokenRequests', index);
      if (audiences.indexOf(audience) < index) return [duplicate(child(field, 'audience'), audience)];
      const detail = 'may not specify a duration less than 10 minutes';
      const isBrief = seconds !== undefined && seconds < 600;
      return isBrief ? [invalidValue(child(field, 'expirationSeconds'), seconds, detail)] : [];
    }),
  ];
}

/** Violations in a change of a CSIDriver. */
export function validateCsiDriverUpdate(next: CSIDriver, previous: CSIDriver): FieldError[] {
  return [
    ...validateCsiDriver(next),
    ...immutable('spec.attachedRequired', next.spec.attachRequired, previous.spec.attachRequired),
    ...immutable(
      'spec.volumeLifecycleModes',
      next.spec.volumeLifecycleModes,
      previous.spec.volumeLifecycleModes,
    ),
  ];
}
