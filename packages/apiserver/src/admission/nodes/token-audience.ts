import type { CSIDriver, Pod, TokenRequest } from '@wherry/kubeapi';
import type { UserInfo } from '../../authentication/identity.ts';
import type { ObjectCache } from '../../objects/object-cache.ts';
import type { PluginParts } from '../plugin-parts.ts';

/**
 * Why a kubelet may not ask for these audiences, or undefined: one at most, that a volume of the pod names, or that
 * the node is allowed by the verb `request-serviceaccounts-token-audience` (upstream:
 * ServiceAccountNodeAudienceRestriction).
 */
export function audienceProblem(
  { spec }: TokenRequest,
  pod: Pod,
  {
    user,
    account,
    caches,
    authorizer,
  }: Pick<PluginParts, 'caches' | 'authorizer'> & { user: UserInfo; account: string },
): string | undefined {
  const { audiences = [] } = spec;
  if (audiences.length > 1) return 'node may only request 0 or 1 audiences';
  const [audience = ''] = audiences;
  if (podNames(pod, audience, caches.csiDrivers)) return undefined;
  const decision = authorizer.authorize({
    ...{ user, isResource: true, path: '', group: '', resource: audience, subresource: '' },
    ...{ verb: 'request-serviceaccounts-token-audience', namespace: pod.metadata?.namespace ?? '' },
    name: account,
  });
  if (decision.outcome === 'allow') return undefined;
  return `audience ${JSON.stringify(audience)} not found in pod spec volume, ${user.name} is not authorized to request tokens for this audience`;
}

function podNames(pod: Pod, audience: string, drivers: ObjectCache<CSIDriver>): boolean {
  return (pod.spec?.volumes ?? []).some(({ projected, csi }) => {
    const tokens = (projected?.sources ?? []).flatMap(({ serviceAccountToken }) => serviceAccountToken ?? []);
    if (tokens.some((token) => (token.audience ?? '') === audience)) return true;
    const requests = (csi && drivers.get(csi.driver)?.spec.tokenRequests) || [];
    return requests.some((request) => request.audience === audience);
  });
}
