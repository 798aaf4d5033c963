import { writeFileSync } from 'node:fs';

/** A provider with keys by their names, in their order; their bytes follow from a seed. */
export function provider(kind: 'aesgcm' | 'aescbc' | 'secretbox', keys: Readonly<Record<string, number>>) {
  const list = Object.entries(keys).map(([name, seed]) => ({ name, secret: keyOf(seed) }));
  return { [kind]: { keys: list } };
}

/** Values as they are. */
export const identity = { identity: {} };

/** 32 bytes in base64, others for each seed. */
export function keyOf(seed: number): string {
  return Buffer.alloc(32, seed).toString('base64');
}

/** Writes an EncryptionConfiguration that has these providers for some resources. */
export function writeEncryption(
  path: string,
  providers: readonly object[],
  resources: readonly string[] = ['secrets'],
): void {
  writeFileSync(path, encryptionText([{ resources, providers }]));
}

/** The text of one. */
export function encryptionText(resources: readonly object[]): string {
  return JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources,
  });
}
