import { celConditionsCostMax, forbidden, type JsonValue, PolicyFailure } from '@wherry/kubeapi';
import type { Authorizer } from '../../authorization/authorizer.ts';
import type { AdmissionRequest } from '../admission.ts';
import { askAccess } from '../expressions/ask-access.ts';
import { conditionsHold } from '../expressions/conditions-hold.ts';
import { reviewRequest } from './admission-review.ts';
import type { Form, Invocation } from './invocation.ts';

/**
 * Whether a webhook's conditions let it be asked. Throws 403 when that can't be said and its failure policy does not
 * ignore it.
 */
export async function isWanted(
  invocation: Invocation,
  request: AdmissionRequest,
  { form, authorizer }: { form: Form; authorizer: Authorizer },
): Promise<boolean> {
  const { conditions, webhook } = invocation.hook;
  if (!conditions) return true;
  const asked = await reviewRequest(invocation, request, form);
  const inputs = {
    ...{ object: asked.object as unknown as JsonValue, oldObject: asked.oldObject as unknown as JsonValue },
    ...{ request: asked as unknown as JsonValue, namespaceObject: null },
    askAccess: askAccess(authorizer, request.user),
  };
  const evaluation = conditions.expressions.evaluation(inputs, celConditionsCostMax);
  try {
    return await conditionsHold(conditions.compiled, evaluation, webhook.failurePolicy === 'Ignore');
  } catch (error) {
    if (!(error instanceof PolicyFailure)) throw error;
    const { resource, name } = request;
    throw forbidden({ group: resource.group, resource: resource.plural }, name, error.message);
  }
}
