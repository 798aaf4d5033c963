import type { Clock } from '@wherry/clock';
import { celConditionsCostMax, forbidden, type JsonValue, PolicyFailure } from '@wherry/kubeapi';
import type { Authorizer } from '../../authorization/authorizer.ts';
import type { AdmissionRequest } from '../admission.ts';
import { askAccess } from '../expressions/ask-access.ts';
import { conditionsHold } from '../expressions/conditions-hold.ts';
import type { AdmissionPhase, ConditionFigures, ConditionOutcome } from '../figures/condition-figures.ts';
import { reviewRequest } from './admission-review.ts';
import type { Form, Invocation } from './invocation.ts';

/** What conditions are asked with. */
export interface ConditionParts {
  form: Form;
  authorizer: Authorizer;
  clock: Clock;
  figures: ConditionFigures;
  type: AdmissionPhase;
}

/**
 * Whether a webhook's conditions let it be asked. Throws 403 when that can't be said and its failure policy does not
 * ignore it.
 */
export async function isWanted(
  invocation: Invocation,
  request: AdmissionRequest,
  { form, authorizer, clock, figures, type }: ConditionParts,
): Promise<boolean> {
  const { conditions, webhook } = invocation.hook;
  if (!conditions) return true;
  const startedMs = clock.monotonicMs();
  const tell = (outcome: ConditionOutcome) =>
    figures.ended(
      { name: webhook.name, kind: 'webhook', type, operation: request.operation },
      outcome,
      clock.monotonicMs() - startedMs,
    );
  const asked = await reviewRequest(invocation, request, form);
  const inputs = {
    ...{ object: asked.object as unknown as JsonValue, oldObject: asked.oldObject as unknown as JsonValue },
    ...{ request: asked as unknown as JsonValue, namespaceObject: null },
    askAccess: askAccess(authorizer, request.user),
  };
  const evaluation = conditions.expressions.evaluation(inputs, celConditionsCostMax);
  try {
    const isIgnored = webhook.failurePolicy === 'Ignore';
    const hold = await conditionsHold(conditions.compiled, evaluation, isIgnored);
    tell(hold ? 'hold' : 'exclude');
    return hold;
  } catch (error) {
    tell('error');
    if (!(error instanceof PolicyFailure)) throw error;
    const { resource, name } = request;
    throw forbidden({ group: resource.group, resource: resource.plural }, name, error.message);
  }
}
