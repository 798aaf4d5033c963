import { readFileSync } from 'node:fs';
import { isIPv4, isIPv6 } from 'node:net';
import { hasCode, writeFileAtomicSync } from '@wherry/linux';
import { RuntimeError } from '../errors.ts';

const defaultRange = '10.88.0.0/16';

/** Given in place of a range: there is none before a kubelet names it. */
const ofKubelet = 'kubelet';

/** The range of pods' addresses: given once and for all, or what a kubelet last said, kept in a file. */
export class PodRange {
  readonly #fixed: string | undefined;
  readonly #default: string;
  readonly #file: string;

  /** `given` is a range, `kubelet`, or undefined for what a kubelet says and a default until then. */
  constructor({ given, file }: { given: string | undefined; file: string }) {
    const waits = given === ofKubelet;
    this.#fixed = waits ? undefined : given;
    this.#default = waits ? '' : defaultRange;
    this.#file = file;
  }

  get isFixed(): boolean {
    return this.#fixed !== undefined;
  }

  /** The range in force when a runtime starts; "" where a kubelet has to name it first. */
  read(): string {
    return this.#fixed ?? (this.#kept() || this.#default);
  }

  /** Every range that was given or told, of both families; none where nobody has said one. */
  told(): string[] {
    const text = this.#fixed ?? this.#kept();
    return text
      .split(',')
      .map((range) => range.trim())
      .filter((range) => range !== '');
  }

  /** Takes ranges that a kubelet names, unless one was given. Throws `RuntimeError` INVALID_ARGUMENT for what is none. */
  tell(text: string): void {
    for (const range of text.split(',')) checkRange(range.trim());
    if (!this.isFixed) this.keep(text);
  }

  /** Remembers a range for the next start. */
  keep(range: string): void {
    writeFileAtomicSync(this.#file, `${range}\n`);
  }

  #kept(): string {
    try {
      return readFileSync(this.#file, 'utf8').trim();
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return '';
      throw error;
    }
  }
}

function checkRange(range: string): void {
  const [address = '', length = '', ...rest] = range.split('/');
  const bits = isIPv4(address) ? 32 : isIPv6(address) ? 128 : 0;
  if (bits > 0 && rest.length === 0 && /^\d{1,3}$/.test(length) && Number(length) <= bits) return;
  throw new RuntimeError('INVALID_ARGUMENT', `"${range}" is no range of addresses such as 10.88.0.0/16`);
}
