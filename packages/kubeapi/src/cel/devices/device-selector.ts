/** Expressions that select devices for claims (upstream: dynamic-resource-allocation/cel). */
import type { DeviceAttribute, DeviceCapacity } from '../../generated/types.ts';
import { celRunCostMax } from '../../limits.ts';
import { parseQuantity } from '../../values/quantity.ts';
import type { CostRange } from '../cost/ranges.ts';
import { Environment, type Expression } from '../environment.ts';
import { QuantityValue, quantityType } from '../kubernetes/quantities.ts';
import { versionOf } from '../kubernetes/versions.ts';
import { CompileError } from '../syntax/ast.ts';
import { anyValue, bool, fullTypeName, mapOf, objectNamed, string, type Type } from '../types.ts';
import { CelError, CelMap, CelObject, CostLimitError, isError, type Value } from '../values/value.ts';

export { loadPatternEngine } from '../../values/pattern.ts';

/** What of a device expressions see. */
export interface SelectableDevice {
  driver: string;
  allowMultipleAllocations?: boolean | undefined;
  attributes?: Readonly<Record<string, DeviceAttribute>> | undefined;
  capacity?: Readonly<Record<string, DeviceCapacity>> | undefined;
}

const deviceType = objectNamed('kubernetes.DRADevice');
const fields: ReadonlyMap<string, Type> = new Map([
  ['driver', string],
  ['allowMultipleAllocations', bool],
  ['attributes', mapOf(string, mapOf(string, anyValue))],
  ['capacity', mapOf(string, mapOf(string, quantityType))],
]);
const environment = new Environment({
  variables: { device: deviceType },
  fieldType: (owner, field) => (owner === deviceType.name ? fields.get(field) : undefined),
  hasBindings: true,
});

/** A selector has come to no answer, or is none; the message is upstream's but for what the compiler itself says. */
export class DeviceSelectorError extends Error {
  override readonly name = 'DeviceSelectorError';
  /** What is wrong, without when it was found. */
  readonly detail: string;

  constructor(stage: 'compile' | 'runtime', detail: string) {
    super(`CEL ${stage} error: ${detail}`);
    this.detail = detail;
  }
}

/** An expression over a device. */
export class DeviceSelector {
  readonly #program: Expression;

  /** Throws {@link DeviceSelectorError}. Needs `loadPatternEngine`. */
  constructor(text: string) {
    try {
      this.#program = environment.compile(text);
    } catch (error) {
      if (!(error instanceof CompileError)) throw error;
      throw new DeviceSelectorError('compile', `compilation failed: ${error.message}`);
    }
    const { type } = this.#program;
    if (type.kind !== 'bool' && type.kind !== 'any') {
      const detail = `must evaluate to bool or the unknown type, not ${fullTypeName(type)}`;
      throw new DeviceSelectorError('compile', detail);
    }
  }

  /** What a run may cost at most, by the sizes that the parts of a device may have. */
  get costMax(): number {
    return this.#program.estimate(sizeOf).max;
  }

  /** Throws {@link DeviceSelectorError}, also where a run costs too much. */
  matches(device: SelectableDevice): boolean {
    const value = this.#run(device);
    if (typeof value === 'boolean') return value;
    if (isError(value)) throw new DeviceSelectorError('runtime', value.message);
    throw new DeviceSelectorError('runtime', 'CEL result could not be converted to bool');
  }

  #run(device: SelectableDevice): Value {
    const variable = new DeviceObject(device);
    try {
      return this.#program.evaluate((name) => (name === 'device' ? variable : undefined), celRunCostMax)
        .value;
    } catch (error) {
      if (!(error instanceof CostLimitError)) throw error;
      return new CelError(error.message);
    }
  }
}

const upTo = (max: number): CostRange => ({ min: 0, max });
const namesMax = 32;
const nameBytesMax = 32;
const domainBytesMax = 63;
const attributeBytesMax = 64;

/** How large what stands at a path may be (upstream: sizeEstimator). */
function sizeOf([variable, field, ...inside]: readonly string[]): CostRange | undefined {
  if (variable !== 'device') return undefined;
  if (field === undefined) return upTo(0);
  if (field === 'driver' || field === 'allowMultipleAllocations')
    return inside.length > 0 ? undefined : upTo(field === 'driver' ? domainBytesMax : 1);
  if (field !== 'attributes' && field !== 'capacity') return undefined;
  const [domain, name, ...below] = inside;
  if (domain === undefined) return upTo(namesMax);
  if (domain === '@keys') return name === undefined ? upTo(domainBytesMax) : undefined;
  if (!isEach(domain) || below.length > 0) return undefined;
  if (name === undefined) return upTo(namesMax);
  if (name === '@keys') return upTo(nameBytesMax);
  if (field === 'attributes') return upTo(attributeBytesMax);
  return isEach(name) ? upTo(0) : undefined;
}

const isEach = (part: string): boolean => part === '@items' || part === '@values';

class DeviceObject extends CelObject {
  readonly typeName = deviceType.name;
  readonly #values: ReadonlyMap<string, () => Value>;

  constructor({
    driver,
    allowMultipleAllocations = false,
    attributes = {},
    capacity = {},
  }: SelectableDevice) {
    super();
    this.#values = new Map<string, () => Value>([
      ['driver', () => driver],
      ['allowMultipleAllocations', () => allowMultipleAllocations],
      ['attributes', () => byDomain(attributes, driver, attributeValue)],
      ['capacity', () => byDomain(capacity, driver, ({ value }) => new QuantityValue(parseQuantity(value)))],
    ]);
  }

  get(field: string): Value | undefined {
    return this.#values.get(field)?.();
  }

  fields(): Iterable<string> {
    return this.#values.keys();
  }
}

function attributeValue({ int, bool: truth, string: text, version }: DeviceAttribute): Value {
  if (int !== undefined) return BigInt(int);
  if (truth !== undefined) return truth;
  if (text !== undefined) return text;
  if (version !== undefined) return versionOf(version);
  return new CelError('unsupported attribute value');
}

/** Names without a domain are the driver's own. */
function byDomain<T>(named: Readonly<Record<string, T>>, driver: string, read: (item: T) => Value): CelMap {
  const domains = new Map<string, Map<string, Value>>();
  for (const [name, item] of Object.entries(named)) {
    const slash = name.indexOf('/');
    const domain = slash < 0 ? driver : name.slice(0, slash);
    const members = domains.get(domain) ?? new Map<string, Value>();
    domains.set(domain, members.set(name.slice(slash + 1), read(item)));
  }
  const maps = [...domains].map(([domain, members]) => [domain, new NamedValues(members)] as const);
  return new NamedValues(new Map(maps), new NamedValues(new Map()));
}

class NamedValues extends CelMap {
  readonly #values: ReadonlyMap<string, Value>;
  /** What stands for any other name: a domain of which nothing is known is empty. */
  readonly #otherwise: Value | undefined;

  constructor(values: ReadonlyMap<string, Value>, otherwise?: Value) {
    super();
    this.#values = values;
    this.#otherwise = otherwise;
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: Value): Value | undefined {
    return typeof key === 'string' ? (this.#values.get(key) ?? this.#otherwise) : undefined;
  }

  override has(key: Value): boolean {
    return typeof key === 'string' && this.#values.has(key);
  }

  keys(): Iterable<Value> {
    return this.#values.keys();
  }
}
