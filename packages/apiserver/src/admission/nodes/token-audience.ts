import { aggregateText, type Pod, type TokenRequest, type Volume } from '@wherry/kubeapi';
import { podClaims } from '@wherry/podrules';
import type { UserInfo } from '../../authentication/identity.ts';
import type { PluginParts } from '../plugin-parts.ts';

type Lookups = Pick<PluginParts, 'caches' | 'claims' | 'volumes' | 'authorizer'>;

/**
 * Why a kubelet may not ask for these audiences, or undefined: one at most, that a volume of the pod names, or the driver
 * behind it, or that the node is allowed by the verb `request-serviceaccounts-token-audience` (upstream:
 * ServiceAccountNodeAudienceRestriction).
 */
export async function audienceProblem(
  { spec }: TokenRequest,
  pod: Pod,
  parts: Lookups & { user: UserInfo; account: string },
): Promise<string | undefined> {
  const { user, account, authorizer } = parts;
  const { audiences = [] } = spec;
  if (audiences.length > 1) return 'node may only request 0 or 1 audiences';
  const [audience = ''] = audiences;
  const claimNames = new Map(podClaims(pod).map(({ volume, claimName }) => [volume, claimName]));
  const missing: string[] = [];
  for (const volume of pod.spec?.volumes ?? []) {
    const place = { pod, claimName: claimNames.get(volume), parts };
    const found = await namesAudience(volume, audience, place);
    if (found === true) return undefined;
    if (found !== false) missing.push(found);
  }
  const quoted = JSON.stringify(audience);
  if (missing.length > 0) return `error validating audience ${quoted}: ${aggregateText(missing)}`;
  const decision = await authorizer.authorize({
    ...{ user, isResource: true, path: '', group: '', resource: audience, subresource: '' },
    ...{ verb: 'request-serviceaccounts-token-audience', namespace: pod.metadata?.namespace ?? '' },
    name: account,
  });
  if (decision.outcome === 'allow') return undefined;
  return `audience ${quoted} not found in pod spec volume, ${user.name} is not authorized to request tokens for this audience`;
}

/** A text says what is not there that would have to be asked. */
async function namesAudience(
  volume: Volume,
  audience: string,
  { pod, claimName, parts }: { pod: Pod; claimName: string | undefined; parts: Lookups },
): Promise<boolean | string> {
  const tokens = (volume.projected?.sources ?? []).flatMap(
    ({ serviceAccountToken }) => serviceAccountToken ?? [],
  );
  if (tokens.some((token) => (token.audience ?? '') === audience)) return true;
  const driver =
    claimName === undefined ? { name: volume.csi?.driver } : await driverOf(pod, claimName, parts);
  if (typeof driver === 'string') return driver;
  if (!driver.name) return false;
  const found = parts.caches.csiDrivers.get(driver.name);
  if (!found) return `csidriver.storage.k8s.io ${JSON.stringify(driver.name)} not found`;
  return (found.spec.tokenRequests ?? []).some((request) => request.audience === audience);
}

/** Of the volume that a claim has. */
async function driverOf(
  { metadata }: Pod,
  claimName: string,
  { claims, volumes }: Lookups,
): Promise<{ name: string | undefined } | string> {
  const claim = await claims.find(metadata.namespace ?? '', claimName);
  if (!claim) return `persistentvolumeclaim ${JSON.stringify(claimName)} not found`;
  const { volumeName = '' } = claim.spec;
  const volume = volumeName === '' ? undefined : await volumes.find('', volumeName);
  return volume
    ? { name: volume.spec.csi?.driver }
    : `persistentvolume ${JSON.stringify(volumeName)} not found`;
}
