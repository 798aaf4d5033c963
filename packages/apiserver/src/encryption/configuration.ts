/** What an EncryptionConfiguration says, once it is read. */

/** How values may be encrypted; `identity` = not at all, `kms` = by keys that another program keeps. */
export const providerKinds = ['kms', 'aesgcm', 'aescbc', 'secretbox', 'identity'] as const;
export type ProviderKind = (typeof providerKinds)[number];

/** A key by its name, which stands beside what it sealed. */
export interface NamedKey {
  name: string;
  key: Uint8Array;
}

/** One way to write and read values. */
export interface Provider {
  kind: ProviderKind;
  /** The first one writes; `identity` and `kms` have none. */
  keys: readonly NamedKey[];
  /** Of `kms`. */
  kms?: KmsSettings | undefined;
}

/** A program that keeps keys. */
export interface KmsSettings {
  /** Stands beside what is sealed; no other has it. */
  name: string;
  /** `unix:///PATH` */
  endpoint: string;
  /** Of each call. */
  timeoutMs: number;
}

/** Which resources, and how they are kept. */
export interface ResourceRule {
  resources: readonly GroupResource[];
  /** The first one writes, all of them read. */
  providers: readonly Provider[];
}

/** A resource of a group; either may be `*`. */
export interface GroupResource {
  group: string;
  resource: string;
}

/** `secrets`, `deployments.apps`, `*.apps`, `*.` (the core group), `*.*`. */
export function parseGroupResource(text: string): GroupResource {
  const dot = text.indexOf('.');
  return dot < 0
    ? { group: '', resource: text }
    : { group: text.slice(dot + 1), resource: text.slice(0, dot) };
}

/** The same as text. */
export function showGroupResource({ group, resource }: GroupResource): string {
  if (group !== '') return `${resource}.${group}`;
  return resource === '*' ? '*.' : resource;
}
