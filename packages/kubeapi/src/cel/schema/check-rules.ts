/** Holds values to the rules of their schema (upstream: apiextensions pkg/apiserver/schema/cel/validation.go). */
import { exactJson } from '../../json/exact-json.ts';
import { isJsonObject, type JsonObject, type JsonValue, jsonEqual, ownValue } from '../../json/json-value.ts';
import { celMessageBytesMax, celObjectCostMax, celRunCostMax } from '../../limits.ts';
import {
  at,
  child,
  type FieldError,
  forbiddenField,
  invalidValue,
  required,
} from '../../status/field-error.ts';
import type { Activation, Outcome } from '../evaluate/program.ts';
import { CostLimitError, isError, Optional, type Value } from '../values/value.ts';
import type { CompiledRule, RuleNode } from './compiled-rules.ts';
import { typedValue } from './typed-value.ts';

/** What rules have said. */
export interface RuleVerdict {
  errors: FieldError[];
  /** What does not hold, and is let be since it was so before. */
  warnings: FieldError[];
}

/**
 * `pause` is waited for between rules, of which each may take some tenths of a second. Without `previous` the object is
 * new. All rules together cost no more than upstream's; then no more are looked at, and that is an error.
 */
export async function checkRules(
  object: JsonValue,
  node: RuleNode,
  previous: JsonValue | undefined,
  pause: () => Promise<void>,
): Promise<RuleVerdict> {
  const check = new RuleCheck(pause);
  const correlation = previous === undefined ? uncorrelated : { isKnown: true, wasParentSame: false };
  await check.visit(node, { path: '', value: object, old: previous, correlation });
  return check;
}

/** Whether what stands here stood here before. */
interface Correlation {
  /** `old` is what stood here. */
  isKnown: boolean;
  /** Of the nearest part above that is known to have stood there: it has not changed. */
  wasParentSame: boolean;
}

const uncorrelated: Correlation = { isKnown: false, wasParentSame: false };

interface Place {
  path: string;
  value: JsonValue;
  old: JsonValue | undefined;
  correlation: Correlation;
}

class RuleCheck implements RuleVerdict {
  readonly errors: FieldError[] = [];
  readonly warnings: FieldError[] = [];
  readonly #pause: () => Promise<void>;
  #left = celObjectCostMax;

  constructor(pause: () => Promise<void>) {
    this.#pause = pause;
  }

  async visit(node: RuleNode, place: Place): Promise<void> {
    if (place.value === null || this.#left < 0) return;
    for (const compiled of node.rules) {
      await this.#pause();
      this.#apply(compiled, node, place);
      if (this.#left < 0) return;
    }
    const { wasParentSame } = place.correlation;
    for (const part of node.allOf)
      await this.visit(part, { ...place, correlation: { isKnown: false, wasParentSame } });
    if (Array.isArray(place.value)) await this.#visitItems(node, place, place.value);
    else if (isJsonObject(place.value)) await this.#visitFields(node, place, place.value);
  }

  async #visitItems({ items, words }: RuleNode, place: Place, list: readonly JsonValue[]): Promise<void> {
    if (!items) return;
    const keys = words['x-kubernetes-list-map-keys'] ?? [];
    const keyOf = (item: JsonValue) =>
      exactJson(keys.map((key) => (isJsonObject(item) ? ownValue(item, key) : null)));
    const isMap = words['x-kubernetes-list-type'] === 'map';
    const before = new Map(
      isMap && Array.isArray(place.old) ? place.old.map((item) => [keyOf(item), item]) : [],
    );
    for (const [index, value] of list.entries()) {
      const old = before.get(keyOf(value));
      await this.visit(items, { path: at(place.path, index), value, old, correlation: below(place, old) });
    }
  }

  async #visitFields(node: RuleNode, place: Place, object: JsonObject): Promise<void> {
    for (const [name, value] of Object.entries(object)) {
      const isField = node.properties.has(name);
      const found = node.properties.get(name) ?? node.additional;
      if (!found) continue;
      const old = isJsonObject(place.old) ? ownValue(place.old, name) : undefined;
      const path = isField ? child(place.path, name) : at(place.path, name);
      await this.visit(found, { path, value, old, correlation: below(place, old) });
    }
  }

  #apply(compiled: CompiledRule, node: RuleNode, place: Place): void {
    const { rule, program, usesOldSelf } = compiled;
    const type = node.words.type ?? '';
    const path = place.path === '' ? '<nil>' : place.path;
    const refuse = (detail: string) => this.errors.push(invalidValue(path, type, detail));
    if (this.#left <= 0) {
      refuse(outOfBudget);
      this.#left = -1;
      return;
    }
    if (compiled.error !== undefined) refuse(`rule compile error: ${compiled.error}`);
    if (!program || (usesOldSelf && place.old === undefined && !rule.optionalOldSelf)) return;
    const activation = activationFor(compiled, node, place);
    const outcome = this.#run(() => program.evaluate(activation, celRunCostMax));
    const shown = (rule.message || rule.rule).trim();
    if (outcome === 'exceeded') {
      refuse(
        `'${new CostLimitError().message}': no further validation rules will be run due to call cost exceeds limit for rule: ${shown}`,
      );
      return;
    }
    if (outcome === 'spent') {
      refuse(outOfBudget);
      return;
    }
    if (isError(outcome.value)) {
      const { message } = outcome.value;
      const isOverload = message.startsWith('no such overload');
      refuse(
        isOverload
          ? `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${shown}`
          : `${message} evaluating rule: ${shown}`,
      );
      return;
    }
    if (outcome.value !== true) this.#complain(compiled, node, place, activation);
  }

  /** Keeps account. */
  #run(evaluate: () => Outcome): Outcome | 'exceeded' | 'spent' {
    try {
      const outcome = evaluate();
      if (outcome.cost > this.#left) {
        this.#left = -1;
        return 'spent';
      }
      this.#left -= outcome.cost;
      return outcome;
    } catch (error) {
      if (!(error instanceof CostLimitError)) throw error;
      const isAll = this.#left < celRunCostMax;
      this.#left = -1;
      return isAll ? 'spent' : 'exceeded';
    }
  }

  #complain(compiled: CompiledRule, node: RuleNode, place: Place, activation: Activation): void {
    const { rule, usesOldSelf, fieldPath } = compiled;
    const path = fieldPath === '' ? place.path : child(place.path, fieldPath);
    const told = compiled.message ? this.#message(compiled, node, path, activation) : undefined;
    if (told && typeof told !== 'string') {
      this.errors.push(told);
      return;
    }
    const detail = told ?? (rule.message ? rule.message.trim() : `failed rule: ${rule.rule.trim()}`);
    const error = errorFor(rule.reason, path === '' ? '<nil>' : path, place.value, detail);
    const { correlation, value, old } = place;
    const isOld = correlation.isKnown ? jsonEqual(value, old) : correlation.wasParentSame;
    (isOld && !usesOldSelf ? this.warnings : this.errors).push(error);
  }

  /** A text; undefined where the expression yields none; an error that ends it all. */
  #message(
    compiled: CompiledRule,
    node: RuleNode,
    path: string,
    activation: Activation,
  ): string | FieldError | undefined {
    const source = JSON.stringify(compiled.rule.messageExpression);
    const outcome = this.#run(() => compiled.message!.evaluate(activation, celRunCostMax));
    const refuse = (detail: string) =>
      invalidValue(path === '' ? '<nil>' : path, node.words.type ?? '', detail);
    if (outcome === 'spent')
      return refuse(
        'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
      );
    if (outcome === 'exceeded')
      return refuse(
        `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${source}`,
      );
    const text = typeof outcome.value === 'string' ? outcome.value.trim() : '';
    const isUsable =
      text !== '' && !text.includes('\n') && new TextEncoder().encode(text).length <= celMessageBytesMax;
    return isUsable ? text : undefined;
  }
}

const outOfBudget =
  'validation failed due to running out of cost budget, no further validation rules will be run';

function below({ path, value, old, correlation }: Place, oldPart: JsonValue | undefined): Correlation {
  if (!correlation.isKnown) return correlation;
  // Of the root's own words only the content counts.
  const wasParentSame = path !== '' && old !== undefined && jsonEqual(value, old);
  return { isKnown: oldPart !== undefined, wasParentSame };
}

function activationFor(
  { rule }: CompiledRule,
  { words, isRoot }: RuleNode,
  { value, old }: Place,
): Activation {
  const self = typedValue(value, words, isRoot);
  let oldSelf: Value | undefined;
  if (old !== undefined && old !== null) oldSelf = typedValue(old, words, isRoot);
  if (rule.optionalOldSelf) oldSelf = oldSelf === undefined ? Optional.none : new Optional(oldSelf);
  return (name) => (name === 'self' ? self : name === 'oldSelf' ? oldSelf : undefined);
}

/** Of lists and objects the value is not shown. */
function errorFor(reason: string | undefined, path: string, value: JsonValue, detail: string): FieldError {
  if (reason === 'FieldValueForbidden') return forbiddenField(path, detail);
  if (reason === 'FieldValueRequired') return required(path, detail);
  const isWhole = typeof value === 'object';
  const shown = (title: string) => (isWhole ? title : `${title}: ${JSON.stringify(value)}`);
  if (reason === 'FieldValueDuplicate')
    return { type: 'FieldValueDuplicate', field: path, body: shown('Duplicate value') };
  return { type: 'FieldValueInvalid', field: path, body: `${shown('Invalid value')}: ${detail}` };
}
