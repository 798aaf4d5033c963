/** Values that may be absent (cel-go: OptionalTypes). */
import { declare, method, type Overload } from '../functions.ts';
import { bool, listOf, optionalOf, param } from '../types.ts';
import { ArrayList } from '../values/collections.ts';
import { timestampMin } from '../values/time.ts';
import {
  CelError,
  CelList,
  CelMap,
  Duration,
  Optional,
  Timestamp,
  Uint,
  type Value,
} from '../values/value.ts';

const v = param('V');

/** What a type has where nothing was said. */
function isZero(value: Value): boolean {
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof CelList || value instanceof CelMap) return value.size === 0;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof Duration) return value.nanos === 0n;
  if (value instanceof Timestamp) return value.nanos === timestampMin;
  if (value instanceof Optional) return value.value === undefined;
  return value === null || value === false || value === 0n || value === 0 || value === '';
}

const unwrap = (list: CelList) => {
  const there = [...list].filter((item) => item instanceof Optional && item.value !== undefined);
  return new ArrayList(there.map((item) => (item as Optional).value!));
};

export const optionalLibrary: readonly Overload[] = [
  declare('optional.of', 'optional_of', [v], optionalOf(v), (value: Value) => new Optional(value)),
  declare('optional.ofNonZeroValue', 'optional_ofNonZeroValue', [v], optionalOf(v), (value: Value) =>
    isZero(value) ? Optional.none : new Optional(value),
  ),
  declare('optional.none', 'optional_none', [], optionalOf(v), () => Optional.none),
  declare('optional.unwrap', 'optional_unwrap', [listOf(optionalOf(v))], listOf(v), unwrap),
  method('unwrapOpt', 'optional_unwrapOpt', [listOf(optionalOf(v))], listOf(v), unwrap),
  method('value', 'optional_value', [optionalOf(v)], v, ({ value }: Optional) =>
    value === undefined ? new CelError('optional.none() dereference') : value,
  ),
  method(
    'hasValue',
    'optional_hasValue',
    [optionalOf(v)],
    bool,
    ({ value }: Optional) => value !== undefined,
  ),
  // Both look at their argument only where they have to: the evaluator's part.
  method('or', 'optional_or_optional', [optionalOf(v), optionalOf(v)], optionalOf(v)),
  method('orValue', 'optional_orValue_value', [optionalOf(v), v], v),
];
