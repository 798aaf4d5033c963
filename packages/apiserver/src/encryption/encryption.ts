import {
  type OpenedValue,
  type SealedValue,
  type Sealing,
  sealedMark,
  unreadable,
  type ValuePlace,
} from '../store/sealing.ts';
import { aesCbc } from './aes-cbc.ts';
import { aesGcm } from './aes-gcm.ts';
import type { Cipher, KeptElsewhere } from './cipher.ts';
import { type Provider, type ResourceRule, showGroupResource } from './configuration.ts';
import type { EncryptionFigures } from './encryption-figures.ts';
import { resourceOf } from './resource-of.ts';
import { secretbox } from './secretbox.ts';

/** One key, or none: then values stand as they are. */
interface Way {
  /** Of what it has sealed; empty for what is not. */
  prefix: string;
  cipher: Cipher | undefined;
}

const ciphers = { aesgcm: aesGcm, aescbc: aesCbc, secretbox };
const notEncrypted: readonly Way[] = [{ prefix: '', cipher: undefined }];

/** Encryption at rest by an EncryptionConfiguration's rules, which may change while the store is open. */
export class Encryption implements Sealing {
  #firstGeneration = 1;
  #kms: ReadonlyMap<string, KeptElsewhere>;
  /** By the name of the resource, `*` in place of any. */
  #ways: ReadonlyMap<string, readonly Way[]>;
  readonly #figures: EncryptionFigures | undefined;

  /** `kms` has the providers of that kind by their names. */
  constructor(
    rules: readonly ResourceRule[],
    kms: ReadonlyMap<string, KeptElsewhere> = new Map(),
    figures?: EncryptionFigures,
  ) {
    this.#ways = waysOf(rules, kms);
    this.#kms = kms;
    this.#figures = figures;
  }

  get generation(): number {
    let sum = this.#firstGeneration;
    for (const { generation } of this.#kms.values()) sum += generation;
    return sum;
  }

  /** From now on these rules count, for what is written and for what is read. */
  replace(rules: readonly ResourceRule[], kms: ReadonlyMap<string, KeptElsewhere> = new Map()): void {
    const before = this.generation;
    this.#ways = waysOf(rules, kms);
    this.#kms = kms;
    this.#firstGeneration += before + 1 - this.generation;
  }

  seal(value: string | Uint8Array, place: ValuePlace): SealedValue | undefined {
    const { prefix, cipher } = this.#waysFor(place)[0]!;
    if (!cipher) return undefined;
    const plain = typeof value === 'string' ? Buffer.from(value) : value;
    const seal = () => ({ prefix, bytes: cipher.seal(plain, Buffer.from(place.storedKey)) });
    if (!this.#figures) return seal();
    return this.#figures.timed('to_storage', { resource: nameOf(place), prefixOf: () => prefix }, seal);
  }

  open(sealed: Buffer, place: ValuePlace): OpenedValue {
    if (!this.#figures) return this.#open(sealed, place, () => {});
    let opener = 'unknown';
    const open = () => this.#open(sealed, place, (prefix) => (opener = prefix));
    return this.#figures.timed('from_storage', { resource: nameOf(place), prefixOf: () => opener }, open);
  }

  #open(sealed: Buffer, place: ValuePlace, onOpener: (prefix: string) => void): OpenedValue {
    const storedKey = Buffer.from(place.storedKey);
    for (const [index, { prefix, cipher }] of this.#waysFor(place).entries()) {
      const start = Buffer.from(prefix);
      if (!cipher || !sealed.subarray(0, start.length).equals(start)) continue;
      onOpener(prefix);
      const plain = cipher.open(sealed.subarray(start.length), storedKey);
      const isStale = () => index > 0 || cipher.isStale?.(sealed.subarray(start.length)) === true;
      if (plain) return { plain, isStale: isStale() };
    }
    throw unreadable(place.key, 'it is encrypted, and by none of the keys that its resource has');
  }

  isPlainStale(place: ValuePlace): boolean {
    const index = this.#waysFor(place).findIndex(({ cipher }) => !cipher);
    if (index >= 0) return index > 0;
    throw unreadable(place.key, 'it is not encrypted, and its resource has no provider identity');
  }

  #waysFor({ key }: ValuePlace): readonly Way[] {
    const resource = resourceOf(key);
    if (!resource) return notEncrypted;
    const own = this.#ways.get(showGroupResource(resource));
    const ofGroup = () => this.#ways.get(showGroupResource({ group: resource.group, resource: '*' }));
    return own ?? ofGroup() ?? this.#ways.get('*.*') ?? notEncrypted;
  }
}

/** As labels name it; '' of what is no resource. */
function nameOf({ key }: ValuePlace): string {
  const resource = resourceOf(key);
  return resource ? showGroupResource(resource) : '';
}

/** A resource that several entries name has the providers of all, in their order. */
function waysOf(
  rules: readonly ResourceRule[],
  kms: ReadonlyMap<string, Cipher>,
): Map<string, readonly Way[]> {
  const ways = new Map<string, readonly Way[]>();
  for (const { resources, providers } of rules) {
    const added = providers.flatMap((provider) => waysBy(provider, kms));
    for (const resource of resources) {
      const name = showGroupResource(resource);
      ways.set(name, [...(ways.get(name) ?? []), ...added]);
    }
  }
  return ways;
}

function waysBy({ kind, keys, kms: settings }: Provider, kms: ReadonlyMap<string, Cipher>): readonly Way[] {
  if (kind === 'identity') return notEncrypted;
  if (kind === 'kms') {
    const { name } = settings!;
    return [{ prefix: `${sealedMark}kms:v2:${name}:`, cipher: kms.get(name)! }];
  }
  const cipherOf = ciphers[kind];
  return keys.map(({ name, key }) => ({
    prefix: `${sealedMark}${kind}:v1:${name}:`,
    cipher: cipherOf(key),
  }));
}
