/** Rules in CEL of a schema: what is wrong with them, and what they may cost (upstream: apiextensions/validation). */
import { type CompiledRule, compileAll } from '../../cel/schema/compiled-rules.ts';
import { type DeclaredType, declaredType } from '../../cel/schema/declared-type.ts';
import { escapedName } from '../../cel/schema/names.ts';
import type { JSONSchemaProps } from '../../generated/types.ts';
import { isJsonObject, type JsonValue } from '../../json/json-value.ts';
import { bodyBytesMax, celEstimatedCostMax, celEstimatedTotalMax } from '../../limits.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
} from '../../status/field-error.ts';

/** Where a schema stands. */
interface Place {
  path: FieldPath;
  declared: DeclaredType | undefined;
  /** How often an object may have such a value; undefined = as often as it fits. */
  countMax: number | undefined;
  /** The nearest list above whose items are not known again after a change. */
  uncorrelated: FieldPath | undefined;
}

interface Total {
  cost: number;
  dear: { path: FieldPath; cost: number }[];
}

/** Violations in the rules of a whole schema, which is structural. */
export function ruleErrors(words: JSONSchemaProps, path: FieldPath): FieldError[] {
  const total: Total = { cost: 0, dear: [] };
  const errors = errorsAt(
    words,
    { path, declared: declaredType(words, 'self', true), countMax: 1, uncorrelated: undefined },
    total,
  );
  if (total.cost <= celEstimatedTotalMax) return errors;
  const dear = total.dear.sort((left, right) => right.cost - left.cost).slice(0, 4);
  return [
    ...errors,
    ...dear.map((rule) =>
      forbiddenField(
        rule.path,
        'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
      ),
    ),
    forbiddenField(
      path,
      tooDear(
        'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema',
        total.cost,
        celEstimatedTotalMax,
      ),
    ),
  ];
}

function errorsAt(words: JSONSchemaProps, place: Place, total: Total): FieldError[] {
  const { properties = {}, additionalProperties, items } = words;
  const { declared } = place;
  const countMax = place.countMax === undefined ? undefined : multiplied(place.countMax, growthOf(words));
  const errors: FieldError[] = [];
  for (const [name, part] of Object.entries(properties)) {
    const escaped = escapedName(name);
    const type = escaped === undefined ? declaredType(part, 'self') : declared?.fields?.get(escaped);
    errors.push(
      ...errorsAt(
        part,
        { ...place, path: at(child(place.path, 'properties'), name), declared: type, countMax },
        total,
      ),
    );
  }
  if (isJsonObject(additionalProperties)) {
    const path = child(place.path, 'additionalProperties');
    errors.push(
      ...errorsAt(additionalProperties, { ...place, path, declared: declared?.item, countMax }, total),
    );
  }
  if (isJsonObject(items)) {
    const path = child(place.path, 'items');
    const uncorrelated =
      place.uncorrelated ?? (words['x-kubernetes-list-type'] === 'map' ? undefined : place.path);
    errors.push(
      ...errorsAt(
        items as JSONSchemaProps,
        { path, declared: declared?.item, countMax, uncorrelated },
        total,
      ),
    );
  }
  const rules = compileAll(words['x-kubernetes-validations'] ?? [], words, declared);
  return [
    ...errors,
    ...rules.flatMap((rule, index) =>
      oneRuleErrors(rule, at(child(place.path, 'x-kubernetes-validations'), index), place, total),
    ),
  ];
}

function oneRuleErrors(compiled: CompiledRule, path: FieldPath, place: Place, total: Total): FieldError[] {
  const { rule, error, messageError, usesOldSelf, costMax, messageCostMax } = compiled;
  const shown = rule as unknown as JsonValue;
  const errors: FieldError[] = [];
  const bytesMin = place.declared?.bytesMin ?? 1;
  const count = place.countMax ?? Math.floor(bodyBytesMax / (bytesMin + 1));
  const cost = multiplied(costMax, count);
  const note = (name: string, what: string, units: number) => {
    if (units > celEstimatedCostMax)
      errors.push(forbiddenField(child(path, name), tooDear(what, units, celEstimatedCostMax)));
    total.cost += units;
    if (units >= celEstimatedTotalMax / 100) total.dear.push({ path: child(path, name), cost: units });
  };
  note('rule', 'estimated rule cost', cost);
  if (error !== undefined) errors.push(invalidValue(child(path, 'rule'), shown, error));
  if (messageError !== undefined)
    errors.push(invalidValue(child(path, 'messageExpression'), shown, messageError));
  else if (compiled.message) note('messageExpression', 'estimated messageExpression cost', messageCostMax);
  if (usesOldSelf && place.uncorrelated !== undefined) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${place.uncorrelated}`;
    errors.push(invalidValue(child(path, 'rule'), rule.rule, detail));
  }
  if (!usesOldSelf && error === undefined && rule.optionalOldSelf !== undefined) {
    const detail = 'may not be set if oldSelf is not used in rule';
    errors.push(invalidValue(child(path, 'optionalOldSelf'), rule.optionalOldSelf, detail));
  }
  return errors;
}

/** How many values stand below one of this schema; undefined = any number. */
function growthOf({
  type,
  additionalProperties,
  maxItems,
  maxProperties,
}: JSONSchemaProps): number | undefined {
  if (type === 'array') return maxItems === undefined ? undefined : Math.max(0, maxItems);
  if (type === 'object' && additionalProperties !== undefined)
    return maxProperties === undefined ? undefined : Math.max(0, maxProperties);
  return 1;
}

function multiplied(left: number, right: number): number;
function multiplied(left: number, right: number | undefined): number | undefined;
function multiplied(left: number, right: number | undefined): number | undefined {
  return right === undefined ? undefined : Math.min(left * right, 2 ** 64);
}

function tooDear(what: string, cost: number, most: number): string {
  const factor = cost / most;
  const shown = factor > 100 ? 'more than 100x' : `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`;
  return `${what} exceeds budget by factor of ${shown} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}
