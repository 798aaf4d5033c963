import { limits } from '../limits.ts';
import type { StoredValue } from './stored-value.ts';

/** The values that were read or written last, bounded in number and in characters: who changes one has just read it. */
export class RecentValues {
  /** The one that was needed longest ago comes first. */
  readonly #values = new Map<string, StoredValue>();
  #characters = 0;

  get(key: string): StoredValue | undefined {
    const value = this.#values.get(key);
    if (value) {
      this.#values.delete(key);
      this.#values.set(key, value);
    }
    return value;
  }

  set(value: StoredValue): void {
    this.delete(value.key);
    if (value.value.length > limits.recentCharactersMax / 2) return;
    this.#values.set(value.key, value);
    this.#characters += value.value.length;
    for (const key of this.#values.keys()) {
      const isFull =
        this.#values.size > limits.recentValuesMax || this.#characters > limits.recentCharactersMax;
      if (!isFull) return;
      this.delete(key);
    }
  }

  delete(key: string): void {
    this.#characters -= this.#values.get(key)?.value.length ?? 0;
    this.#values.delete(key);
  }

  clear(): void {
    this.#values.clear();
    this.#characters = 0;
  }
}
