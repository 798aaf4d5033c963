import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import type { EncryptionFile, EncryptionFileOptions } from './encryption/encryption-file.ts';
import { periods } from './limits.ts';
import { etcdForm } from './objects/etcd-form.ts';
import type { ApiserverOptions } from './options.ts';
import { SettingsError } from './settings-error.ts';
import { PartedStore } from './store/parted/parted-store.ts';
import type { Sealing } from './store/sealing.ts';
import { SqliteStore } from './store/sqlite-store.ts';
import type { Store } from './store/store.ts';

/** What a store is opened with. */
export interface StoreParts {
  clock: Clock;
  logger: Logger;
  sealing: Sealing | undefined;
}

/** Which file tells of encryption. */
type EncryptionOptions = Pick<
  ApiserverOptions,
  'encryptionProviderConfig' | 'encryptionProviderConfigAutomaticReload' | 'store'
>;

/** Where the store is. */
export type StoreOptions = Pick<
  ApiserverOptions,
  | 'dataDir'
  | 'durability'
  | 'etcdServers'
  | 'etcdServersOverrides'
  | 'etcdCafile'
  | 'etcdCertfile'
  | 'etcdKeyfile'
  | 'etcdPrefix'
  | 'etcdCompactionIntervalMs'
  | 'etcdHealthcheckTimeoutMs'
  | 'etcdReadycheckTimeoutMs'
  | 'leaseReuseDurationSeconds'
>;

/** Only who asks for encryption loads what encrypts. */
export async function openEncryption(
  options: EncryptionOptions,
  parts: EncryptionFileOptions,
): Promise<EncryptionFile | undefined> {
  const { encryptionProviderConfig: file, encryptionProviderConfigAutomaticReload: reloads } = options;
  if (file === undefined && reloads)
    throw new SettingsError(
      '--encryption-provider-config-automatic-reload names no file: --encryption-provider-config is missing',
    );
  if (file !== undefined && options.store)
    throw new SettingsError('a store that is handed over is encrypted by whoever opened it');
  if (file === undefined) return undefined;
  const { EncryptionFile } = await import('./encryption/encryption-file.ts');
  return EncryptionFile.open(file, parts);
}

/** The store that options name: etcd, or SQLite in a folder, which is made where it is missing. */
export async function openStore(options: StoreOptions, parts: StoreParts): Promise<Store> {
  const { dataDir, durability, etcdServers = [], etcdServersOverrides = [] } = options;
  if (etcdServers.length > 0) return openEtcd(etcdServers, options, parts);
  if (etcdServersOverrides.length > 0)
    throw new SettingsError('--etcd-servers-overrides needs --etcd-servers: a store on SQLite is one');
  if (dataDir === undefined)
    throw new SettingsError('there is no place for a store: neither dataDir nor etcdServers is said');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // One that was made earlier, or by somebody else: secrets lie in it.
  chmodSync(dataDir, 0o700);
  const path = join(dataDir, 'state.db');
  return new SqliteStore({ path, durability, clock: parts.clock, sealing: parts.sealing });
}

/** Only who asks for etcd loads what talks to it. */
async function openEtcd(servers: readonly string[], given: StoreOptions, parts: StoreParts): Promise<Store> {
  const { EtcdStore } = await import('./store/etcd/etcd-store.ts');
  const { etcdHealthcheckTimeoutMs = 0, etcdReadycheckTimeoutMs = 0, leaseReuseDurationSeconds } = given;
  const options = {
    ...{ caFile: given.etcdCafile, certFile: given.etcdCertfile, keyFile: given.etcdKeyfile },
    prefix: given.etcdPrefix,
    compactionIntervalMs: given.etcdCompactionIntervalMs,
    leaseReuseMs: leaseReuseDurationSeconds && leaseReuseDurationSeconds * 1_000,
    patienceMs: Math.max(etcdHealthcheckTimeoutMs, etcdReadycheckTimeoutMs, periods.etcdHealthMs),
  };
  const open = (of: readonly string[]) =>
    EtcdStore.open({ ...options, servers: of }, { ...parts, values: etcdForm });
  const main = await open(servers);
  const { etcdServersOverrides: overrides = [] } = given;
  if (overrides.length === 0) return main;
  try {
    const { openOverrides } = await import('./store-overrides.ts');
    return new PartedStore(main, await openOverrides(overrides, open));
  } catch (error) {
    await main.close();
    throw error;
  }
}
