/** Expressions that say whether a webhook is asked about a request (upstream: apiserver pkg/authorization/cel). */
import type { JSONSchemaProps } from '../../generated/types.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { aggregateText } from '../../status/aggregate.ts';
import { Environment } from '../environment.ts';
import { declaredType, fieldTypesOf } from '../schema/declared-type.ts';
import { typedValue } from '../schema/typed-value.ts';
import { AccessExpression, AccessExpressionError } from './access-expression.ts';

const text: JSONSchemaProps = { type: 'string' };
const list = (items: JSONSchemaProps): JSONSchemaProps => ({ type: 'array', items });
const object = (properties: Record<string, JSONSchemaProps>): JSONSchemaProps => ({
  type: 'object',
  properties,
});
const selector = object({
  rawSelector: text,
  requirements: list(object({ key: text, operator: text, values: list(text) })),
});
const requestSchema = object({
  resourceAttributes: object({
    ...{
      namespace: text,
      verb: text,
      group: text,
      version: text,
      resource: text,
      subresource: text,
      name: text,
    },
    ...{ fieldSelector: selector, labelSelector: selector },
  }),
  nonResourceAttributes: object({ path: text, verb: text }),
  ...{ user: text, uid: text, groups: list(text) },
  extra: { type: 'object', additionalProperties: list(text) },
});
const requestType = declaredType(requestSchema, 'kubernetes.SubjectAccessReviewSpec')!;
const environment = new Environment({
  variables: { request: requestType.type },
  fieldType: fieldTypesOf(requestType),
});

/** An expression over the `spec` of a SubjectAccessReview. */
export class ReviewCondition {
  readonly #expression: AccessExpression;

  /** Throws {@link AccessExpressionError}. Needs `loadPatternEngine`. */
  constructor(condition: string) {
    this.#expression = new AccessExpression(condition, {
      ...{ environment, variable: 'request', isTruth: true, tellsType: true },
    });
  }

  /** Whether it holds; `spec` has all of its texts, those that are '' too. Throws {@link AccessExpressionError}. */
  holds(spec: JsonObject): boolean {
    return this.#expression.holds(typedValue(spec, requestSchema));
  }
}

/** Whether all hold. One that does not decides, whatever becomes of the others; throws {@link AccessExpressionError} where none does and some can't be said. */
export function allHold(conditions: readonly ReviewCondition[], spec: JsonObject): boolean {
  const failures: string[] = [];
  for (const condition of conditions) {
    try {
      if (!condition.holds(spec)) return false;
    } catch (error) {
      if (!(error instanceof AccessExpressionError)) throw error;
      failures.push(`cel evaluation error: ${error.message}`);
    }
  }
  if (failures.length === 0) return true;
  throw new AccessExpressionError(aggregateText(failures));
}
