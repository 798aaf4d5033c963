import { GoInt, type GoString, type GoValue } from '../../go-values/go-value.ts';
import { Held, isNilInterface, opened, typeOf, type Value } from './value.ts';

type Present = Exclude<GoValue, null>;

/** `index`: an element of an element. Throws `SyntaxError` with Go's words, as all of these do. */
export function index(item: Value, keys: readonly Value[]): Value {
  let found: Value = opened(item);
  if (found === undefined) throw new SyntaxError('index of untyped nil');
  for (const key of keys) {
    const container = opened(found);
    if (container === undefined) throw new SyntaxError('index of nil pointer');
    found = elementOf(container, opened(key));
  }
  return found;
}

function elementOf(container: Present, key: Present | undefined): Value {
  if (typeof container === 'string') {
    const at = position(key, container.length);
    if (at === container.length) throw new SyntaxError('reflect: string index out of range');
    return new GoInt(container.charCodeAt(at), 'uint8');
  }
  if (Array.isArray(container)) {
    const at = position(key, container.length);
    const element = container[at];
    if (element === undefined) throw new SyntaxError('reflect: slice index out of range');
    return new Held(element);
  }
  if (!(container instanceof Map)) throw new SyntaxError(`can't index item of type ${typeOf(container)}`);
  if (key === undefined) throw new SyntaxError('value is nil; should be of type string');
  if (typeof key !== 'string') throw new SyntaxError(`value has type ${typeOf(key)}; should be string`);
  return new Held(container.get(key) ?? null);
}

/** An index up to and with `most`. `slice` takes none out of an interface, as in Go. */
function position(key: Value, most: number): number {
  if (key === undefined) throw new SyntaxError('cannot index slice/array with nil');
  if (!(key instanceof GoInt)) throw new SyntaxError(`cannot index slice/array with type ${typeOf(key)}`);
  if (key.value < 0n || key.value > BigInt(most)) throw new SyntaxError(`index out of range: ${key.value}`);
  return Number(key.value);
}

/** `slice`: a part of a list, or of a string by its bytes. */
export function slice(item: Value, positions: readonly Value[]): Value {
  const whole = opened(item);
  if (whole === undefined) throw new SyntaxError('slice of untyped nil');
  if (positions.length > 3) throw new SyntaxError(`too many slice indexes: ${positions.length}`);
  const isText = typeof whole === 'string';
  if (isText && positions.length === 3) throw new SyntaxError('cannot 3-index slice a string');
  if (!isText && !Array.isArray(whole)) throw new SyntaxError(`can't slice item of type ${typeOf(whole)}`);
  const [from = 0, to = whole.length, most] = positions.map((each) => position(each, whole.length));
  if (from > to) throw new SyntaxError(`invalid slice index: ${from} > ${to}`);
  if (most !== undefined && to > most) throw new SyntaxError(`invalid slice index: ${to} > ${most}`);
  return whole.slice(from, to);
}

/** `len`: of a string the number of its bytes. */
export function length(item: Value): number {
  if (item === undefined) throw new SyntaxError('reflect: call of reflect.Value.Type on zero Value');
  const inside = opened(item);
  if (inside === undefined) throw new SyntaxError('len of nil pointer');
  if (typeof inside === 'string' || Array.isArray(inside)) return inside.length;
  if (inside instanceof Map) return inside.size;
  throw new SyntaxError(`len of type ${typeOf(inside)}`);
}

/** kubectl's `exists`: whether all of these keys lead somewhere. */
export function exists(item: Value, keys: readonly Value[]): boolean {
  let found: Value = item;
  for (const key of keys) {
    const container = opened(found);
    if (container === undefined) return false;
    const element = elementIfThere(container, opened(key));
    if (element === undefined) return false;
    found = element;
  }
  return keys.length === 0 ? true : !isNilInterface(found);
}

function elementIfThere(container: Present, key: Present | undefined): Value {
  if (container instanceof Map) {
    const name: GoString | undefined = key === undefined ? '' : typeof key === 'string' ? key : undefined;
    return name === undefined ? undefined : new Held(container.get(name) ?? null);
  }
  if (typeof container !== 'string' && !Array.isArray(container)) return undefined;
  if (!(key instanceof GoInt) || key.value < 0n || key.value >= BigInt(container.length)) return undefined;
  return elementOf(container, key);
}
