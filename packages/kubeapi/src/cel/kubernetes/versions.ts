/** Semantic versions as values (upstream: pkg/cel/library/semverlib.go). */
import { declare, method, type Overload } from '../functions.ts';
import { bool, int, objectNamed, string } from '../types.ts';
import { CelError, isError, Opaque } from '../values/value.ts';

const type = objectNamed('kubernetes.Semver');
const pattern =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([-0-9A-Za-z]+(?:\.[-0-9A-Za-z]+)*))?(?:\+([-0-9A-Za-z]+(?:\.[-0-9A-Za-z]+)*))?$/;

class Version extends Opaque {
  readonly typeName = type.name;
  readonly numbers: readonly bigint[];
  readonly preRelease: readonly string[];

  constructor(numbers: readonly bigint[], preRelease: readonly string[]) {
    super();
    this.numbers = numbers;
    this.preRelease = preRelease;
  }

  equals(other: Opaque): boolean {
    return other instanceof Version && compare(this, other) === 0n;
  }
}

/** The version that a text is, or why it is none. */
export function versionOf(text: string, isNormalized = false): Version | CelError {
  const normal = isNormalized ? normalized(text) : text;
  const found = normal === undefined ? null : pattern.exec(normal);
  const preRelease = found?.[4]?.split('.') ?? [];
  if (!found || preRelease.some((part) => /^0\d+$/.test(part)))
    return new CelError(normal === '' ? 'Version string empty' : 'No Major.Minor.Patch elements found');
  return new Version([found[1]!, found[2]!, found[3]!].map(BigInt), preRelease);
}

/** Without a `v`, without leading zeros, with all three numbers. */
function normalized(text: string): string | undefined {
  const [major = '', minor, ...rest] = text.replace(/^v/, '').split('.');
  const given = [
    major,
    ...(minor === undefined ? [] : [minor]),
    ...(rest.length > 0 ? [rest.join('.')] : []),
  ];
  if (given.length < 3 && /[-+]/.test(given.at(-1)!)) return undefined;
  const parts = given.map((part) =>
    part.length > 1 ? part.replace(/^0+(?=\d)/, '').replace(/^0+(?=\D)/, '0') : part,
  );
  while (parts.length < 3) parts.push('0');
  return parts.join('.');
}

function compare(left: Version, right: Version): bigint {
  for (const [index, number] of left.numbers.entries()) {
    const other = right.numbers[index]!;
    if (number !== other) return number < other ? -1n : 1n;
  }
  const [one, other] = [left.preRelease, right.preRelease];
  if (one.length === 0 || other.length === 0)
    return BigInt(Number(other.length > 0) - Number(one.length > 0));
  for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
    const order = compareParts(one[index], other[index]);
    if (order !== 0n) return order;
  }
  return 0n;
}

function compareParts(left: string | undefined, right: string | undefined): bigint {
  if (left === undefined || right === undefined) return left === right ? 0n : left === undefined ? -1n : 1n;
  const [isNumber, isOther] = [/^\d+$/.test(left), /^\d+$/.test(right)];
  if (isNumber && isOther) {
    const [one, other] = [BigInt(left), BigInt(right)];
    return one === other ? 0n : one < other ? -1n : 1n;
  }
  if (isNumber !== isOther) return isNumber ? -1n : 1n;
  return left === right ? 0n : left < right ? -1n : 1n;
}

const isVersion = (text: string, isNormalized?: boolean) => !isError(versionOf(text, isNormalized));

export const versionLibrary: readonly Overload[] = [
  declare('semver', 'string_to_semver', [string], type, versionOf),
  declare('semver', 'string_bool_to_semver', [string, bool], type, versionOf),
  declare('isSemver', 'is_semver_string', [string], bool, isVersion),
  declare('isSemver', 'is_semver_string_bool', [string, bool], bool, isVersion),
  method(
    'isLessThan',
    'semver_is_less_than',
    [type, type],
    bool,
    (left: Version, right: Version) => compare(left, right) < 0n,
  ),
  method(
    'isGreaterThan',
    'semver_is_greater_than',
    [type, type],
    bool,
    (left: Version, right: Version) => compare(left, right) > 0n,
  ),
  method('compareTo', 'semver_compare_to', [type, type], int, compare),
  ...['major', 'minor', 'patch'].map((name, index) =>
    method(name, `semver_${name}`, [type], int, ({ numbers }: Version) => numbers[index]!),
  ),
];
