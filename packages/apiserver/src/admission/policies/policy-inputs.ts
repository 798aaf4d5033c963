import type { JsonValue, PolicyInputs } from '@wherry/kubeapi';
import type { Authorizer } from '../../authorization/authorizer.ts';
import type { AdmissionRequest } from '../admission.ts';
import { askAccess } from '../expressions/ask-access.ts';
import { reviewRequest } from '../webhooks/admission-review.ts';
import { formFor, type Invocation } from '../webhooks/invocation.ts';

/** What expressions of a policy see of a request, its parameters apart. */
export async function inputsOf(
  match: Invocation,
  request: AdmissionRequest,
  sources: Parameters<typeof formFor>[2] & { authorizer: Authorizer },
): Promise<Omit<PolicyInputs, 'params'>> {
  const asked = await reviewRequest(match, request, formFor(match, request, sources));
  const isNamespace = request.resource.group === '' && request.resource.plural === 'namespaces';
  const namespace = isNamespace ? undefined : sources.namespaces.get(request.namespace);
  return {
    object: asked.object as unknown as JsonValue,
    oldObject: asked.oldObject as unknown as JsonValue,
    request: asked as unknown as JsonValue,
    askAccess: askAccess(sources.authorizer, request.user),
    namespaceObject: namespace ? (namespace as unknown as JsonValue) : null,
  };
}
