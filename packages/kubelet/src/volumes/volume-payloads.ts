import type { ConfigMap, DownwardAPIVolumeFile, Secret, Volume, VolumeProjection } from '@wherry/kubeapi';
import { fieldValue } from '../environment/field-value.ts';
import { resourceValue } from '../environment/resource-value.ts';
import type { AssignedPod } from '../pod/assigned-pod.ts';
import { configMapData, keyedPayload, type Payload, secretData, soleUser } from './payload.ts';
import type { TokenManager } from './token-manager.ts';

const fileMode = 0o644;
const tokenSecondsDefault = 3_600;

/** Where the content of volumes comes from. */
export interface PayloadSources {
  pod: AssignedPod;
  podIps: readonly string[];
  hostIps: readonly string[];
  nodeAllocatable: Readonly<Record<string, string>>;
  configMap(name: string): Promise<ConfigMap | undefined>;
  secret(name: string): Promise<Secret | undefined>;
  /** Undefined for a kubelet without an API server. */
  tokens: TokenManager | undefined;
  signal: AbortSignal;
}

/** The files of a configMap, secret, downwardAPI or projected volume; undefined for every other kind. */
export async function volumePayload(volume: Volume, sources: PayloadSources): Promise<Payload | undefined> {
  const { configMap, secret, downwardAPI, projected } = volume;
  if (configMap) {
    const { name = '', items, optional = false, defaultMode = fileMode } = configMap;
    return configMapPayload({ name, items, optional }, defaultMode, sources);
  }
  if (secret) {
    const { secretName: name = '', items, optional = false, defaultMode = fileMode } = secret;
    return secretPayload({ name, items, optional }, defaultMode, sources);
  }
  if (downwardAPI)
    return downwardPayload(downwardAPI.items ?? [], downwardAPI.defaultMode ?? fileMode, sources);
  if (!projected) return undefined;
  const parts = (projected.sources ?? []).map((source) =>
    projectedPayload(source, projected.defaultMode ?? fileMode, sources),
  );
  return new Map((await Promise.all(parts)).flatMap((part) => [...part]));
}

interface KeyedReference {
  name: string;
  items: { key: string; path: string; mode?: number }[] | undefined;
  optional: boolean;
}

async function configMapPayload(reference: KeyedReference, defaultMode: number, sources: PayloadSources) {
  const map = await sources.configMap(reference.name);
  if (!map && !reference.optional) throw new Error(`configmap "${reference.name}" not found`);
  return keyedPayload({
    ...reference,
    name: `configmap ${reference.name}`,
    data: configMapData(map),
    defaultMode,
  });
}

async function secretPayload(reference: KeyedReference, defaultMode: number, sources: PayloadSources) {
  const secret = await sources.secret(reference.name);
  if (!secret && !reference.optional) throw new Error(`secret "${reference.name}" not found`);
  return keyedPayload({
    ...reference,
    name: `secret ${reference.name}`,
    data: secretData(secret),
    defaultMode,
  });
}

function downwardPayload(
  items: readonly DownwardAPIVolumeFile[],
  defaultMode: number,
  sources: PayloadSources,
): Payload {
  return new Map(
    items.map(({ path, fieldRef, resourceFieldRef, mode = defaultMode }) => {
      const text = fieldRef
        ? fieldValue(fieldRef.fieldPath, sources)
        : resourceFieldRef
          ? resourceValue(resourceFieldRef, sources)
          : '';
      return [path, { bytes: Buffer.from(text, 'utf8'), mode }];
    }),
  );
}

async function projectedPayload(
  source: VolumeProjection,
  defaultMode: number,
  sources: PayloadSources,
): Promise<Payload> {
  const { configMap, secret, downwardAPI, serviceAccountToken } = source;
  if (configMap) {
    const { name = '', items, optional = false } = configMap;
    return configMapPayload({ name, items, optional }, defaultMode, sources);
  }
  if (secret) {
    const { name = '', items, optional = false } = secret;
    return secretPayload({ name, items, optional }, defaultMode, sources);
  }
  if (downwardAPI) return downwardPayload(downwardAPI.items ?? [], defaultMode, sources);
  if (!serviceAccountToken)
    throw new Error(`projected source ${Object.keys(source).join(', ')} is not supported`);
  const { path, audience = '', expirationSeconds = tokenSecondsDefault } = serviceAccountToken;
  const { pod, tokens, signal } = sources;
  if (!tokens) throw new Error('a projected service account token needs an API server');
  const token = await tokens.token({ pod, audience, expirationSeconds, signal });
  const user = soleUser(pod);
  const isPrivate = user !== undefined || pod.spec.securityContext?.fsGroup !== undefined;
  const file = { bytes: Buffer.from(token, 'utf8'), mode: isPrivate ? 0o600 : defaultMode, uid: user };
  return new Map([[path, file]]);
}
