/** Which requests a FlowSchema is about (upstream: apiserver pkg/util/flowcontrol). */
import type {
  FlowcontrolV1Subject,
  FlowSchema,
  NonResourcePolicyRule,
  ResourcePolicyRule,
} from '@wherry/kubeapi';
import { serviceAccountUserName, type UserInfo } from '../authentication/identity.ts';
import type { RequestInfo } from '../http/request-info.ts';

/** Whoever asks whether the server lives must be told. */
export const isHealthPath = ({ isResource, path }: RequestInfo) =>
  !isResource && /^\/(healthz|livez|readyz)(\/|$)/.test(path);

/** True when one of its rules is about this request of this user. */
export function isMatch({ spec }: FlowSchema, user: UserInfo, info: RequestInfo): boolean {
  return (spec.rules ?? []).some(
    ({ subjects = [], resourceRules = [], nonResourceRules = [] }) =>
      subjects.some((subject) => isSubject(subject, user)) &&
      (info.isResource
        ? resourceRules.some((rule) => isOfResource(rule, info))
        : nonResourceRules.some((rule) => isOfPath(rule, info))),
  );
}

function isSubject({ kind, user, group, serviceAccount }: FlowcontrolV1Subject, who: UserInfo): boolean {
  if (kind === 'User') return user?.name === '*' || user?.name === who.name;
  if (kind === 'Group') return group !== undefined && (group.name === '*' || who.groups.includes(group.name));
  if (kind !== 'ServiceAccount' || !serviceAccount) return false;
  const { namespace, name } = serviceAccount;
  return name === '*'
    ? who.name.startsWith(serviceAccountUserName(namespace, ''))
    : who.name === serviceAccountUserName(namespace, name);
}

function isOfResource(rule: ResourcePolicyRule, info: RequestInfo): boolean {
  const { verbs, apiGroups, resources, namespaces = [], clusterScope = false } = rule;
  const { verb, group, resource, subresource, namespace } = info;
  return (
    names(verbs, verb) &&
    names(resources, subresource === '' ? resource : `${resource}/${subresource}`) &&
    names(apiGroups, group) &&
    (namespace === '' ? clusterScope : names(namespaces, namespace))
  );
}

function isOfPath({ verbs, nonResourceURLs }: NonResourcePolicyRule, { verb, path }: RequestInfo): boolean {
  return names(verbs, verb) && nonResourceURLs.some((url) => isBelow(path, url));
}

/** A URL is about what lies below it, too, with or without its star. */
function isBelow(path: string, url: string): boolean {
  if (url === '*' || url === path) return true;
  const folder = url.replace(/\*$/, '');
  return path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

const names = (list: readonly string[], name: string) =>
  list.includes(name) || (list.length === 1 && list[0] === '*');
