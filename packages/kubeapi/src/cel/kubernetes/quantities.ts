/** Amounts as values: `quantity("1.5Gi")` (upstream: apiserver pkg/cel/library/quantity.go). */
import { parseQuantity, Quantity, QuantityError } from '../../values/quantity.ts';
import { declare, method, type Overload } from '../functions.ts';
import { bool, double, int, objectNamed, string } from '../types.ts';
import { CelError, Opaque, type Value } from '../values/value.ts';

/** The type of amounts. */
export const quantityType = objectNamed('kubernetes.Quantity');
const type = quantityType;
const nanosPerOne = 1_000_000_000n;
const intMax = 2n ** 63n;

/** An amount in expressions. */
export class QuantityValue extends Opaque {
  readonly typeName = type.name;
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    super();
    this.quantity = quantity;
  }

  equals(other: Opaque): boolean {
    return other instanceof QuantityValue && this.quantity.cmp(other.quantity) === 0;
  }
}

function read(text: string): Quantity | CelError {
  try {
    return parseQuantity(text);
  } catch (error) {
    if (error instanceof QuantityError) return new CelError(error.message);
    throw error;
  }
}

const parse = (text: string): Value => {
  const quantity = read(text);
  return quantity instanceof CelError ? quantity : new QuantityValue(quantity);
};

function wholeOf({ quantity: { nanos } }: QuantityValue): bigint | undefined {
  const whole = nanos / nanosPerOne;
  return nanos % nanosPerOne === 0n && whole < intMax && whole >= -intMax ? whole : undefined;
}

const ofInt = (value: bigint) => new Quantity(value * nanosPerOne, 'DecimalExponent');

export const quantityLibrary: readonly Overload[] = [
  declare('quantity', 'string_to_quantity', [string], type, parse),
  declare(
    'isQuantity',
    'is_quantity_string',
    [string],
    bool,
    (text: string) => !(read(text) instanceof CelError),
  ),
  declare('sign', 'quantity_sign', [type], int, ({ quantity }: QuantityValue) => BigInt(quantity.sign())),
  method(
    'isGreaterThan',
    'quantity_is_greater_than',
    [type, type],
    bool,
    (left: QuantityValue, right: QuantityValue) => left.quantity.cmp(right.quantity) > 0,
  ),
  method(
    'isLessThan',
    'quantity_is_less_than',
    [type, type],
    bool,
    (left: QuantityValue, right: QuantityValue) => left.quantity.cmp(right.quantity) < 0,
  ),
  method('compareTo', 'quantity_compare_to', [type, type], int, (left: QuantityValue, right: QuantityValue) =>
    BigInt(left.quantity.cmp(right.quantity)),
  ),
  method('asApproximateFloat', 'quantity_get_float', [type], double, ({ quantity }: QuantityValue) =>
    quantity.toNumber(),
  ),
  method(
    'asInteger',
    'quantity_get_int',
    [type],
    int,
    (value: QuantityValue) => wholeOf(value) ?? new CelError('cannot convert value to integer'),
  ),
  method(
    'isInteger',
    'quantity_is_integer',
    [type],
    bool,
    (value: QuantityValue) => wholeOf(value) !== undefined,
  ),
  method(
    'add',
    'quantity_add',
    [type, type],
    type,
    (left: QuantityValue, right: QuantityValue) => new QuantityValue(left.quantity.add(right.quantity)),
  ),
  method(
    'add',
    'quantity_add_int',
    [type, int],
    type,
    (left: QuantityValue, right: bigint) => new QuantityValue(left.quantity.add(ofInt(right))),
  ),
  method(
    'sub',
    'quantity_sub',
    [type, type],
    type,
    (left: QuantityValue, right: QuantityValue) => new QuantityValue(left.quantity.sub(right.quantity)),
  ),
  method(
    'sub',
    'quantity_sub_int',
    [type, int],
    type,
    (left: QuantityValue, right: bigint) => new QuantityValue(left.quantity.sub(ofInt(right))),
  ),
];
