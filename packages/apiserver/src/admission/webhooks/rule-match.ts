import type { ResourceFacts, RuleWithOperations } from '@wherry/kubeapi';
import type { AdmissionRequest } from '../admission.ts';

/** True when a rule is about this request, were it for `resource`. */
export function ruleMatches(
  { operations = [], apiGroups = [], apiVersions = [], resources = [], scope = '*' }: RuleWithOperations,
  { operation, subresource, namespace }: AdmissionRequest,
  resource: ResourceFacts,
): boolean {
  const isAny = (values: readonly string[], wanted: string) =>
    values.includes('*') || values.includes(wanted);
  return (
    isInScope(scope, resource, namespace) &&
    isAny(operations, operation) &&
    isAny(apiGroups, resource.group) &&
    isAny(apiVersions, resource.version) &&
    resources.some((text) => isNamed(text, resource.plural, subresource))
  );
}

/** A namespace itself belongs to the cluster, whatever its path says. */
function isInScope(scope: string, { group, plural }: ResourceFacts, namespace: string): boolean {
  if (scope === '*') return true;
  const isCluster = namespace === '' || (group === '' && plural === 'namespaces');
  return scope === (isCluster ? 'Cluster' : 'Namespaced');
}

/** Either side of the slash may be `*`; a name without a slash is the resource itself. */
function isNamed(text: string, plural: string, subresource: string): boolean {
  const slash = text.indexOf('/');
  const [owner, part] = slash < 0 ? [text, ''] : [text.slice(0, slash), text.slice(slash + 1)];
  return (owner === '*' || owner === plural) && (part === '*' || part === subresource);
}
