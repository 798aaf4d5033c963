import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@wherry/clock';
import { type CustomResourceDefinition, formatApiVersion, resources } from '@wherry/kubeapi';
import { createLogger, type Logger, MetricsRegistry } from '@wherry/telemetry';
import { resourceOf } from './encryption/resource-of.ts';
import { periods } from './limits.ts';
import { storedApiVersion } from './objects/stored-text.ts';
import { openEncryption, openStore, type StoreOptions, type StoreParts } from './open-store.ts';
import type { Store, StoreWrite } from './store/store.ts';
import type { StoredValue } from './store/stored-value.ts';

/** From where, and to where. */
export interface CopyStoreOptions {
  /** Folder of an API server's SQLite store (`state.db`). No server may have it open. */
  dataDir: string;
  /** The etcd that is written to; nothing may stand below its prefix. */
  etcd: Required<Pick<StoreOptions, 'etcdServers'>> &
    Pick<StoreOptions, 'etcdCafile' | 'etcdCertfile' | 'etcdKeyfile' | 'etcdPrefix'>;
  /** YAML of an EncryptionConfiguration: what is encrypted is read by it, and encrypted by it there. */
  encryptionProviderConfig?: string | undefined;
  /** Aborting it ends the copy where it is. */
  signal?: AbortSignal | undefined;
  logger?: Logger | undefined;
}

const pageSize = 500;
const writesMax = 32;
/** What servers tell each other, and what each writes anew at its start. */
const leftOut = ['/wherry.definitions/', '/masterleases/', '/ranges/'];
/** Ours serves metrics by itself; to other servers this would be a group that nobody serves. */
const ownMetrics = '/apiregistration.k8s.io/apiservices/v1beta1.metrics.k8s.io';

/**
 * Copies all objects of a SQLite store into an etcd, as kube-apiserver and this server read them there: names, uids and all
 * else stay, resource versions are etcd's. Events live their time anew. Resolves with how many objects there are now. Rejects
 * where the etcd is not empty, and leaves what it has written when it fails.
 */
export async function copyStore(options: CopyStoreOptions): Promise<number> {
  const { dataDir, etcd, encryptionProviderConfig, logger = createLogger('apiserver') } = options;
  if (!existsSync(join(dataDir, 'state.db'))) throw new Error(`there is no store in "${dataDir}" (state.db)`);
  const clock = systemClock;
  const metrics = new MetricsRegistry();
  const encryption = await openEncryption({ encryptionProviderConfig }, { clock, logger, metrics });
  const parts = { clock, logger, sealing: encryption?.encryption };
  const stores: Store[] = [];
  try {
    const from = await openFile(dataDir, parts);
    stores.push(from);
    const to = await openStore({ dataDir, ...etcd, etcdCompactionIntervalMs: 0 }, parts);
    stores.push(to);
    const { items } = await to.range({ prefix: '/', limit: 1 });
    if (items[0])
      throw new Error(
        `the etcd is not empty: it has "${items[0].key}"; name another one, or another --etcd-prefix`,
      );
    return await copyAll(from, to, options.signal);
  } finally {
    for (const store of stores) await store.close();
    encryption?.close();
  }
}

async function openFile(dataDir: string, parts: StoreParts): Promise<Store> {
  try {
    return await openStore({ dataDir }, parts);
  } catch (error) {
    throw new Error(`${(error as Error).message}; a server that has it open has to end first`, {
      cause: error,
    });
  }
}

async function copyAll(from: Store, to: Store, signal: AbortSignal | undefined): Promise<number> {
  const kinds = await kindsOf(from);
  let count = 0;
  let after: string | undefined;
  for (;;) {
    const page = await from.range({ prefix: '/', limit: pageSize, after, charactersMax: 8 << 20 });
    const left = page.items.filter((item) => !isLeftOut(item)).values();
    const work = async () => {
      for (const item of left) {
        signal?.throwIfAborted();
        await to.write(writeOf(item, kinds));
        count += 1;
      }
    };
    await Promise.all(Array.from({ length: writesMax }, work));
    if (!page.hasMore) return count;
    after = page.items.at(-1)?.key;
  }
}

function isLeftOut({ key, value }: StoredValue): boolean {
  if (key === ownMetrics) return !(JSON.parse(value) as { spec: { service?: object } }).spec.service;
  return leftOut.some((prefix) => key.startsWith(prefix));
}

interface StoredKind {
  kind: string;
  apiVersion: string;
}

/** Of all resources, those of definitions among them, by `GROUP/PLURAL`. */
async function kindsOf(store: Store): Promise<ReadonlyMap<string, StoredKind>> {
  const kinds = new Map<string, StoredKind>();
  for (const { group, version, plural, kind } of resources) {
    const place = `${group}/${plural}`;
    if (!kinds.has(place)) kinds.set(place, { kind, apiVersion: formatApiVersion(group, version) });
  }
  const { items } = await store.range({ prefix: '/apiextensions.k8s.io/customresourcedefinitions/' });
  for (const { value } of items) {
    const { group, names, versions } = (JSON.parse(value) as CustomResourceDefinition).spec;
    const version = versions.find(({ storage }) => storage)?.name ?? '';
    kinds.set(`${group}/${names.plural}`, { kind: names.kind, apiVersion: formatApiVersion(group, version) });
  }
  return kinds;
}

function writeOf({ key, value }: StoredValue, kinds: ReadonlyMap<string, StoredKind>): StoreWrite {
  const { group, resource } = resourceOf(key) ?? {};
  const known = kinds.get(`${group}/${resource}`);
  if (!known) throw new Error(`nobody knows what kind of object stands at "${key}"`);
  const { kind, apiVersion } = known;
  const text =
    storedApiVersion(value) === undefined ? `{"apiVersion":"${apiVersion}",${value.slice(1)}` : value;
  const lifetimeMs = group === '' && resource === 'events' ? periods.eventLifetimeMs : undefined;
  return { key, value: text, kind, expectedRevision: 0, lifetimeMs };
}
