import type { APIService } from '@wherry/kubeapi';
import type { RequestInfo } from '../http/request-info.ts';
import type { ObjectCache } from '../objects/object-cache.ts';

/** An APIService that another server answers for. */
export type Extension = APIService & {
  spec: { service: NonNullable<APIService['spec']['service']>; group: string; version: string };
};

/** What is never led elsewhere, whatever anybody writes: what everything depends on, and this itself. */
const ownGroups: ReadonlySet<string> = new Set(['', 'apiregistration.k8s.io']);
/** Discovery of one version of a group, and its OpenAPI document. */
const versionPath = /^\/(?:openapi\/v3\/)?apis\/([^/]+)\/([^/]+)\/?$/;

/** True where another server is to answer. */
export function isExtension(service: APIService): service is Extension {
  const { group = '', version = '' } = service.spec;
  return service.spec.service !== undefined && version !== '' && !ownGroups.has(group);
}

/** The one that answers a request, if it is not this server. */
export function extensionOf(
  services: Pick<ObjectCache<APIService>, 'get'>,
  info: RequestInfo,
): Extension | undefined {
  const [, group = '', version = ''] = info.isResource
    ? ['', info.group, info.version]
    : (versionPath.exec(info.path) ?? []);
  const found = services.get(`${version}.${group}`);
  return found && isExtension(found) ? found : undefined;
}
