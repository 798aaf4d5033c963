import { exactJson, type ObjectType } from '@wherry/kubeapi';
import type { StoredValue } from '../store/stored-value.ts';
import type { ApiObject } from './api-object.ts';
import { itemText, objectText, parseStored } from './stored-text.ts';
import type { Conversion, ServedResource } from './strategy.ts';

/** An object as it stood at a revision: as text for JSON answers, parsed only when somebody looks inside. */
export class Snapshot {
  /** The text, as it is stored or shown. */
  readonly value: string;
  readonly #revision: number;
  readonly #resource: ServedResource;
  /** Undefined: the text is in the form that is shown. */
  readonly #conversion: Conversion | undefined;
  #object: ApiObject | undefined;

  /** `revision` 0: was never stored (dry run). `isShown`: the text is in the form that is shown already. */
  constructor(value: string, revision: number, resource: ServedResource, isShown = false) {
    this.value = value;
    this.#revision = revision;
    this.#resource = resource;
    this.#conversion = isShown ? undefined : resource.conversion;
  }

  static of(stored: StoredValue, resource: ServedResource): Snapshot {
    return new Snapshot(stored.value, stored.modRevision, resource);
  }

  get type(): ObjectType {
    return this.#resource.type;
  }

  /** Shared: do not change it. */
  get object(): ApiObject {
    this.#object ??= this.read();
    return this.#object;
  }

  /** A fresh copy. */
  read(): ApiObject {
    const object = parseStored(this.value, this.#revision, this.#resource.facts);
    return this.#conversion ? this.#conversion.fromStored(object) : object;
  }

  /** Standing alone, with kind and apiVersion. */
  get json(): string {
    if (this.#conversion) return exactJson(this.object);
    return objectText(this.value, this.#revision, this.#resource.facts);
  }

  /** As an item of a list. */
  get itemJson(): string {
    // Of a list of custom resources each item says what it is.
    if (!this.#resource.type.schema) return this.json;
    if (!this.#conversion) return itemText(this.value, this.#revision);
    const { kind: _kind, apiVersion: _apiVersion, ...item } = this.object;
    return exactJson(item);
  }
}
