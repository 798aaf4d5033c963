import { resources } from '@wherry/kubeapi';
import { isSealed, noSealing, type Sealing } from '../sealing.ts';

/** Groups whose objects upstream keeps under the group's name; those of all others stand under their resource's alone. */
const keptGroups: readonly string[] = ['apiextensions.k8s.io', 'apiregistration.k8s.io'];

/** Resources that upstream calls otherwise in etcd (pkg/kubeapiserver/default_storage_factory_builder.go). */
const oldNames: readonly (readonly [own: string, upstream: string])[] = [
  ['/replicationcontrollers/', '/controllers/'],
  ['/endpoints/', '/services/endpoints/'],
  ['/services/', '/services/specs/'],
  ['/nodes/', '/minions/'],
  ['/networking.k8s.io/ingresses/', '/ingress/'],
];

/** The key that upstream's server has for one of ours, below its prefix. */
export function upstreamKey(key: string): string {
  const renamed = oldNames.find(([own]) => key.startsWith(own));
  if (renamed) return `${renamed[1]}${key.slice(renamed[0].length)}`;
  const [, group = '', plural = ''] = key.split('/');
  const isBuiltIn = resources.some((each) => each.group === group && each.plural === plural);
  return isBuiltIn && !keptGroups.includes(group) ? key.slice(group.length + 1) : key;
}

/** How values stand in etcd. */
export interface ValueForm {
  /** `kind` is that of the object that the text tells of. */
  toBytes(text: string, kind: string | undefined): Uint8Array;
  /** Of a value, whoever wrote it. Throws `StoreError` `unreadable`. */
  toText(bytes: Uint8Array, key: string): string;
}

/**
 * Keys and values as they stand in etcd. Between this server's keys (`/apps/deployments/default/web`) and upstream's in etcd
 * (`/registry/deployments/default/web`), so that whoever looks into etcd, or keeps copies of it, finds what is expected there.
 */
export class EtcdLayout {
  readonly #values: ValueForm;
  readonly #sealing: Sealing;
  /** Of all keys; ends with a slash. */
  readonly root: string;
  readonly #prefix: string;
  readonly #upstream = new Map<string, string>();
  readonly #own = new Map<string, string>();

  constructor(values: ValueForm, prefix = '/registry', sealing: Sealing = noSealing) {
    this.#values = values;
    this.#sealing = sealing;
    const names = prefix.split('/').filter((name) => name !== '');
    this.#prefix = names.map((name) => `/${name}`).join('');
    this.root = `${this.#prefix}/`;
    for (const [own, upstream] of oldNames) this.#pair(own, upstream);
    for (const { group, plural } of resources) if (group === '') this.#pair(`/${plural}/`, `/${plural}/`);
    for (const { group, plural } of resources)
      if (group !== '' && !keptGroups.includes(group)) this.#pair(`/${group}/${plural}/`, `/${plural}/`);
  }

  toEtcd(key: string): Buffer {
    return Buffer.from(`${this.#prefix}${translated(key, this.#upstream)}`);
  }

  /** `bytes` is a key below {@link root}. */
  toOwn(bytes: Uint8Array): string {
    const { buffer, byteOffset, byteLength } = bytes;
    const key = Buffer.from(buffer, byteOffset, byteLength).toString('utf8', this.#prefix.length);
    return translated(key, this.#own);
  }

  /** The bytes of a value, sealed where its resource is. `kind` is that of the object that the text tells of. */
  toBytes(text: string, key: string, kind: string | undefined): Uint8Array {
    const bytes = this.#values.toBytes(text, kind);
    const sealed = this.#sealing.seal(bytes, { key, storedKey: this.toEtcd(key).toString() });
    return sealed ? Buffer.concat([Buffer.from(sealed.prefix), sealed.bytes]) : bytes;
  }

  /** The text of a value, and whether it would be written otherwise now. Throws `StoreError` `unreadable`. */
  toText(bytes: Uint8Array, storedKey: Uint8Array): { text: string; isStale: boolean } {
    const key = this.toOwn(storedKey);
    const place = { key, storedKey: Buffer.from(storedKey).toString() };
    if (!isSealed(bytes))
      return { isStale: this.#sealing.isPlainStale(place), text: this.#values.toText(bytes, key) };
    const sealed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const { plain, isStale } = this.#sealing.open(sealed, place);
    return { text: this.#values.toText(plain, key), isStale };
  }

  /** The first of two that are called alike: events have two groups, and one place. */
  #pair(own: string, upstream: string): void {
    if (this.#upstream.has(own) || this.#own.has(upstream)) return;
    this.#upstream.set(own, upstream);
    this.#own.set(upstream, own);
  }
}

/** The key with its first two names, or its first, called otherwise; itself where neither is known. */
function translated(key: string, names: ReadonlyMap<string, string>): string {
  const first = key.indexOf('/', 1) + 1;
  const second = first > 0 ? key.indexOf('/', first) + 1 : 0;
  for (const end of [second, first]) {
    const name = end > 0 ? names.get(key.slice(0, end)) : undefined;
    if (name !== undefined) return name + key.slice(end);
  }
  return key;
}
