import { isDeepStrictEqual } from 'node:util';
import {
  forbiddenField,
  invalid,
  type ParamKind,
  parseApiVersion,
  type StatusError,
  type ValidatingAdmissionPolicy,
  type ValidatingAdmissionPolicyBinding,
} from '@wherry/kubeapi';
import { as } from '../../objects/api-object.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';
import { findParamResource } from './params.ts';

const group = 'admissionregistration.k8s.io';
const definitions = ['validatingadmissionpolicies', 'mutatingadmissionpolicies'];
const bindings = ['validatingadmissionpolicybindings', 'mutatingadmissionpolicybindings'];

/** Without a spec they are refused by their kinds' rules. */
type Policy = Partial<ValidatingAdmissionPolicy>;
type Binding = Partial<ValidatingAdmissionPolicyBinding>;

interface Target {
  verb: string;
  namespace: string;
  name: string;
}

/**
 * Nobody reads through the expressions of a policy what they may not read themselves: whoever names a kind of parameters
 * must be allowed to get all of its objects, whoever binds a policy to parameters must be allowed to read those (upstream:
 * pkg/registry/admissionregistration/validatingadmissionpolicy*\/authz.go).
 */
export function policyParamAccess({ authorizer, caches, served }: PluginParts): AdmissionPlugin {
  /** What is not known is asked for as everything. */
  async function may(
    { user }: AdmissionRequest,
    kind: ParamKind | undefined,
    target: Target,
  ): Promise<boolean> {
    const place = kind && parseApiVersion(kind.apiVersion ?? '');
    const resource = place && findParamResource(kind, { served })?.facts.plural;
    const decision = await authorizer.authorize({
      ...{ user, isResource: true, path: '', subresource: '', ...target },
      ...{ group: place?.group ?? '*', resource: resource ?? '*' },
    });
    return decision.outcome === 'allow';
  }

  async function checkPolicy(request: AdmissionRequest): Promise<void> {
    const kind = as<Policy>(request.object!).spec?.paramKind;
    const before = request.previous && as<Policy>(request.previous).spec?.paramKind;
    if (!kind || isDeepStrictEqual({ ...kind }, { ...before })) return;
    if (await may(request, kind, { verb: 'get', namespace: '*', name: '*' })) return;
    const { kind: name = '', apiVersion = '' } = kind;
    const what = `all objects of the referenced paramKind (kind=${name}, apiVersion=${apiVersion})`;
    throw refusal(request, 'spec.paramKind', `must have "get" permission on ${what}`);
  }

  async function checkBinding(request: AdmissionRequest): Promise<void> {
    const { paramRef: ref, policyName = '' } = as<Binding>(request.object!).spec ?? {};
    const before = request.previous && as<Binding>(request.previous).spec;
    if (!ref || (before?.policyName === policyName && isDeepStrictEqual(ref, before.paramRef))) return;
    const isMutating = request.resource.plural.startsWith('mutating');
    const known = isMutating ? caches.mutatingPolicies : caches.policies;
    const kind = known.get(policyName)?.spec.paramKind;
    const verb = ref.name ? 'get' : 'list';
    if (await may(request, kind, { verb, namespace: ref.namespace ?? '', name: ref.name ?? '' })) return;
    throw refusal(
      request,
      'spec.paramRef',
      kind
        ? `does not have "${verb}" permission on the object referenced by paramRef`
        : `does not have "${verb}" permission for all groups, versions and resources, which policy ${policyName} may come to ask for`,
    );
  }

  return {
    name: 'PolicyParamAccess',
    handles: [
      {
        operations: ['CREATE', 'UPDATE'],
        resources: [...definitions, ...bindings].map((plural) => `${group}/${plural}`),
      },
    ],
    validate: (request) =>
      definitions.includes(request.resource.plural) ? checkPolicy(request) : checkBinding(request),
  };
}

function refusal({ resource, name, user }: AdmissionRequest, field: string, why: string): StatusError {
  const text = `user ${JSON.stringify(user.name)} ${why}`;
  return invalid({ group, kind: resource.kind }, name, [forbiddenField(field, text)]);
}
