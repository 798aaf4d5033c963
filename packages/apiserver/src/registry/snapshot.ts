import type { GroupVersionKind } from '@wherry/kubeapi';
import type { StoredValue } from '../store/store.ts';
import type { ApiObject } from './api-object.ts';
import { itemText, objectText, parseStored } from './stored-text.ts';

/** An object as it stood at a revision: as text for JSON answers, parsed only when somebody looks inside. */
export class Snapshot {
  readonly gvk: GroupVersionKind;
  readonly #value: string;
  readonly #revision: number;
  #object: ApiObject | undefined;

  /** `revision` 0: was never stored (dry run). */
  constructor(value: string, revision: number, gvk: GroupVersionKind) {
    this.#value = value;
    this.#revision = revision;
    this.gvk = gvk;
  }

  static of(stored: StoredValue, gvk: GroupVersionKind): Snapshot {
    return new Snapshot(stored.value, stored.modRevision, gvk);
  }

  /** Shared: do not change it. */
  get object(): ApiObject {
    this.#object ??= parseStored(this.#value, this.#revision, this.gvk);
    return this.#object;
  }

  /** The stored text. */
  get value(): string {
    return this.#value;
  }

  /** Standing alone, with kind and apiVersion. */
  get json(): string {
    return objectText(this.#value, this.#revision, this.gvk);
  }

  /** As an item of a list. */
  get itemJson(): string {
    return itemText(this.#value, this.#revision);
  }
}
