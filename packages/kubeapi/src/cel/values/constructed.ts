import { CelObject, type Value } from './value.ts';

/** An object that an expression has made: `Object.spec{replicas: 3}`. */
export class ConstructedObject extends CelObject {
  readonly typeName: string;
  readonly #values: ReadonlyMap<string, Value>;

  constructor(typeName: string, values: ReadonlyMap<string, Value>) {
    super();
    this.typeName = typeName;
    this.#values = values;
  }

  get(field: string): Value | undefined {
    return this.#values.get(field);
  }

  fields(): Iterable<string> {
    return this.#values.keys();
  }
}
