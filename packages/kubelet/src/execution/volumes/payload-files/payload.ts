import type { ConfigMap, KeyToPath, Pod, Secret } from '@wherry/kubeapi';
import { actedOn, type MessageVerdicts } from '../../../pod/field-verdict.ts';

/** Mode of files where nothing else is said. */
export const fileModeDefault = 0o644;

/** One file of a volume. */
export interface PayloadFile {
  bytes: Uint8Array;
  mode: number;
  /** Owner, where it is not root. */
  uid?: number | undefined;
  /** Group, where the pod has an fsGroup. */
  gid?: number | undefined;
}

/** Files of a volume by relative path. */
export type Payload = Map<string, PayloadFile>;

/** What a set of keys becomes as files. */
export interface KeyedSource {
  /** For messages: `configmap "web"`. */
  name: string;
  data: ReadonlyMap<string, Uint8Array>;
  items: readonly KeyToPath[] | undefined;
  defaultMode: number;
  optional: boolean;
}

const here = 'kubelet/execution/volumes/payload-files/payload';

/** What is made of an item of a volume. */
export const keyToPath: MessageVerdicts<KeyToPath> = {
  key: actedOn(here),
  path: actedOn(here),
  mode: actedOn(here),
};

/** Keys as files: all of them, or the listed ones under their paths. Throws on a listed key that is missing. */
export function keyedPayload({ name, data, items, defaultMode, optional }: KeyedSource): Payload {
  const payload: Payload = new Map();
  if (!items?.length) {
    for (const [key, bytes] of data) payload.set(key, { bytes, mode: defaultMode });
    return payload;
  }
  for (const { key, path, mode } of items) {
    const bytes = data.get(key);
    if (bytes) payload.set(path, { bytes, mode: mode ?? defaultMode });
    else if (!optional) throw new Error(missingKey(name, key));
  }
  return payload;
}

/** In upstream's words, which are others for each kind. */
const missingKey = (name: string, key: string) =>
  name.startsWith('configmap ')
    ? `configmap references non-existent config key: ${key}`
    : `references non-existent secret key: ${key}`;

/** Content of a ConfigMap by key. */
export function configMapData(map: ConfigMap | undefined): Map<string, Uint8Array> {
  const data = new Map<string, Uint8Array>();
  for (const [key, value] of Object.entries(map?.data ?? {})) data.set(key, Buffer.from(value, 'utf8'));
  for (const [key, value] of Object.entries(map?.binaryData ?? {}))
    data.set(key, Buffer.from(value, 'base64'));
  return data;
}

/** Content of a Secret by key. */
export function secretData(secret: Secret | undefined): Map<string, Uint8Array> {
  return new Map(
    Object.entries(secret?.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64')]),
  );
}

/** Who owns files that only the pod's user may read: the user, when every container runs as the same one. */
export function soleUser(pod: Pod): number | undefined {
  const shared = pod.spec.securityContext?.runAsUser;
  const users = new Set(
    [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].map(
      ({ securityContext }) => securityContext?.runAsUser ?? shared,
    ),
  );
  const [only] = users;
  return users.size === 1 ? only : undefined;
}
