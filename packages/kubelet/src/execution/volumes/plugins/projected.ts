import type {
  ConfigMapProjection,
  DownwardAPIProjection,
  ProjectedVolumeSource,
  SecretProjection,
  ServiceAccountTokenProjection,
  VolumeProjection,
} from '@wherry/kubeapi';
import { oneError } from '../../../ground/describe-error.ts';
import { actedOn, type MessageVerdicts, refused } from '../../../pod/field-verdict.ts';
import type { PayloadSources } from '../../inputs/payload-sources.ts';
import { fileModeDefault, type Payload, soleUser } from '../payload-files/payload.ts';
import { payloadPlugin } from '../payload-files/payload-plugin.ts';
import { configMapFiles } from './config-map.ts';
import { downwardFiles } from './downward-api.ts';
import { secretFiles } from './secret.ts';

const here = 'kubelet/execution/volumes/plugins/projected';
const inConfigMap = 'kubelet/execution/volumes/plugins/config-map';
const inSecret = 'kubelet/execution/volumes/plugins/secret';
const tokenSecondsDefault = 3_600;

const fields: MessageVerdicts<ProjectedVolumeSource> = {
  sources: actedOn(here),
  defaultMode: actedOn(here),
};

const projection: MessageVerdicts<VolumeProjection> = {
  secret: actedOn(here),
  downwardAPI: actedOn(here),
  configMap: actedOn(here),
  serviceAccountToken: actedOn(here),
  clusterTrustBundle: refused('trust bundles are not supported by this kubelet; use a ConfigMap'),
  podCertificate: refused('pod certificates are not supported by this kubelet; use a Secret'),
};

const ofSecret: MessageVerdicts<SecretProjection> = {
  name: actedOn(inSecret),
  items: actedOn(inSecret),
  optional: actedOn(inSecret),
};

const ofConfigMap: MessageVerdicts<ConfigMapProjection> = {
  name: actedOn(inConfigMap),
  items: actedOn(inConfigMap),
  optional: actedOn(inConfigMap),
};

const ofDownwardApi: MessageVerdicts<DownwardAPIProjection> = {
  items: actedOn('kubelet/execution/volumes/plugins/downward-api'),
};

const ofToken: MessageVerdicts<ServiceAccountTokenProjection> = {
  audience: actedOn(here),
  expirationSeconds: actedOn(here),
  path: actedOn(here),
};

/** ConfigMaps, Secrets, fields of the pod and tokens of its service account as files of one folder in memory. */
export const projected = payloadPlugin({
  name: 'projected',
  folder: 'projected',
  supports: {
    ProjectedVolumeSource: fields,
    VolumeProjection: projection,
    SecretProjection: ofSecret,
    ConfigMapProjection: ofConfigMap,
    DownwardAPIProjection: ofDownwardApi,
    ServiceAccountTokenProjection: ofToken,
  },
  readsApi: ({ sources = [] }) => sources.some(({ downwardAPI }) => !downwardAPI),
  medium: 'memory',
  payload: async ({ sources: parts = [], defaultMode = fileModeDefault }, sources) => {
    const looked = await Promise.allSettled(parts.map((part) => partFiles(part, defaultMode, sources)));
    const failures = looked.flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : []));
    // All that is missing is told at once.
    if (failures.length > 0) throw oneError(failures);
    return new Map(looked.flatMap((each) => (each.status === 'fulfilled' ? [...each.value] : [])));
  },
});

async function partFiles(
  part: VolumeProjection,
  defaultMode: number,
  sources: PayloadSources,
): Promise<Payload> {
  const { configMap, secret, downwardAPI, serviceAccountToken } = part;
  if (configMap) return configMapFiles(configMap, defaultMode, sources);
  if (secret) return secretFiles(secret, defaultMode, sources);
  if (downwardAPI) return downwardFiles(downwardAPI, defaultMode, sources);
  if (serviceAccountToken) return tokenFile(serviceAccountToken, defaultMode, sources);
  throw new Error(`projected source ${Object.keys(part).join(', ')} is not supported`);
}

async function tokenFile(
  { path, audience = '', expirationSeconds = tokenSecondsDefault }: ServiceAccountTokenProjection,
  defaultMode: number,
  { pod, tokens, signal }: PayloadSources,
): Promise<Payload> {
  if (!tokens) throw new Error('a projected service account token needs an API server');
  const token = await tokens.token({ pod, audience, expirationSeconds, isShown: true, signal });
  const user = soleUser(pod);
  const isPrivate = user !== undefined || pod.spec.securityContext?.fsGroup !== undefined;
  const file = { bytes: Buffer.from(token, 'utf8'), mode: isPrivate ? 0o600 : defaultMode, uid: user };
  return new Map([[path, file]]);
}
