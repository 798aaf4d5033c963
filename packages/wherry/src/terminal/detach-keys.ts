import { Transform, type TransformCallback } from 'node:stream';
import { CommandError } from '../errors.ts';

const controlMask = 0x1f;

/** What `--detach-keys` are without a word. */
export const defaultDetachKeys = 'ctrl-p,ctrl-q';

/** `ctrl-p,ctrl-q` → the bytes that those keys send. Single characters stand for themselves. */
export function parseDetachKeys(text: string): Buffer {
  const keys = text.split(',').map((key) => {
    const control = /^ctrl-([a-z@[\\\]^_])$/i.exec(key)?.[1];
    if (control) return control.toUpperCase().charCodeAt(0) & controlMask;
    if (key.length === 1) return key.charCodeAt(0);
    throw new CommandError(`"${key}" in --detach-keys is neither a character nor ctrl-<character>`);
  });
  return Buffer.from(keys);
}

/** Passes keys on until the detach keys were typed one after another; then calls `onDetach` and passes nothing more. */
export class DetachKeys extends Transform {
  readonly #keys: Buffer;
  readonly #onDetach: () => void;
  #matched = 0;
  #detached = false;

  constructor(keys: Buffer, onDetach: () => void) {
    super();
    this.#keys = keys;
    this.#onDetach = onDetach;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    done(null, this.#detached ? Buffer.alloc(0) : this.#filter(chunk));
  }

  #filter(chunk: Buffer): Buffer {
    const passed: number[] = [];
    for (const byte of chunk) {
      if (byte !== this.#keys[this.#matched]) {
        passed.push(...this.#keys.subarray(0, this.#matched));
        this.#matched = 0;
      }
      if (byte === this.#keys[this.#matched]) this.#matched += 1;
      else passed.push(byte);
      if (this.#matched === this.#keys.length) {
        this.#detached = true;
        this.#onDetach();
        break;
      }
    }
    return Buffer.from(passed);
  }
}
