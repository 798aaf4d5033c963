/** Reads values of JSON by what they have to be, and notes fields that are not known. */
import { type JsonObject, type JsonValue, ownValue } from '@wherry/kubeapi';

/** Thrown for a value of another type than its field has. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
}

/** What is read of one document. Absent values and `null` are what Go's zero values are. */
export class ShapeReader {
  /** Where a field stands that is not known. */
  readonly unknown: string[] = [];

  object<T>(value: JsonValue | undefined, path: string, read: (fields: Fields) => T): T {
    if (value === undefined || value === null) return read(new Fields(this, {}, path));
    if (typeof value !== 'object' || Array.isArray(value)) throw new ShapeError(`${path} is no object`);
    const fields = new Fields(this, value, path);
    const found = read(fields);
    for (const name of Object.keys(value))
      if (!fields.known.has(name)) this.unknown.push(path === '' ? name : `${path}.${name}`);
    return found;
  }
}

/** The fields of one object. */
export class Fields {
  readonly known = new Set<string>();
  readonly #reader: ShapeReader;
  readonly #value: JsonObject;
  readonly #path: string;

  constructor(reader: ShapeReader, value: JsonObject, path: string) {
    this.#reader = reader;
    this.#value = value;
    this.#path = path;
  }

  text(name: string): string {
    const value = this.#take(name) ?? '';
    if (typeof value !== 'string') throw new ShapeError(`${this.#at(name)} is no text`);
    return value;
  }

  texts(name: string): string[] {
    return (this.#list(name) ?? []).map((value, index) => {
      if (value === null) return '';
      if (typeof value !== 'string') throw new ShapeError(`${this.#at(name)}[${index}] is no text`);
      return value;
    });
  }

  /** Undefined where there is none. */
  objects<T>(name: string, read: (fields: Fields) => T): T[] | undefined {
    return this.#list(name)?.map((value, index) =>
      this.#reader.object(value, `${this.#at(name)}[${index}]`, read),
    );
  }

  #list(name: string): JsonValue[] | undefined {
    const value = this.#take(name);
    if (value === undefined || value === null) return undefined;
    if (!Array.isArray(value)) throw new ShapeError(`${this.#at(name)} is no list`);
    return value;
  }

  #take(name: string): JsonValue | undefined {
    this.known.add(name);
    return ownValue(this.#value, name);
  }

  #at(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }
}
