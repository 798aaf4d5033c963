/** Rules of schemas (`x-kubernetes-validations`), compiled (upstream: apiextensions pkg/apiserver/schema/cel). */
import type { JSONSchemaProps, ValidationRule } from '../../generated/types.ts';
import { isJsonObject, ownValue } from '../../json/json-value.ts';
import { Environment, type Expression } from '../environment.ts';
import { CompileError } from '../syntax/ast.ts';
import { optionalOf, showType } from '../types.ts';
import { type DeclaredType, declaredType, fieldTypesOf, sizesOf } from './declared-type.ts';
import { normalFieldPath } from './field-path.ts';
import { escapedName } from './names.ts';

/** One rule. */
export interface CompiledRule {
  rule: ValidationRule;
  /** Absent where it is in error. */
  program: Expression | undefined;
  error: string | undefined;
  usesOldSelf: boolean;
  message: Expression | undefined;
  messageError: string | undefined;
  /** Where its complaints go, below what it is a rule of. */
  fieldPath: string;
  /** What a run, and its message, may cost. */
  costMax: number;
  messageCostMax: number;
}

/** The rules of a schema, and those below it. */
export interface RuleNode {
  words: JSONSchemaProps;
  isRoot: boolean;
  rules: readonly CompiledRule[];
  properties: ReadonlyMap<string, RuleNode>;
  additional: RuleNode | undefined;
  items: RuleNode | undefined;
  allOf: readonly RuleNode[];
}

const typeName = 'self';

/** Undefined where there are no rules. Needs `loadPatternEngine`. */
export function compileRules(words: JSONSchemaProps): RuleNode | undefined {
  if (!hasRules(words)) return undefined;
  return nodeOf(words, words, { isRoot: true, declared: declaredType(words, typeName, true) });
}

function hasRules(words: JSONSchemaProps): boolean {
  const { properties = {}, additionalProperties, items, allOf = [] } = words;
  if ((words['x-kubernetes-validations'] ?? []).length > 0) return true;
  const parts = [...Object.values(properties), additionalProperties, items, ...allOf];
  return parts.some((part) => isJsonObject(part) && hasRules(part as JSONSchemaProps));
}

/** `own` says the rules, `spine` what the values look like: in `allOf` they are not the same. */
function nodeOf(
  own: JSONSchemaProps,
  spine: JSONSchemaProps,
  { isRoot, declared }: { isRoot: boolean; declared: DeclaredType | undefined },
): RuleNode | undefined {
  const below = (part: unknown, of: unknown, type: DeclaredType | undefined): RuleNode | undefined => {
    if (!isJsonObject(part) || !isJsonObject(of)) return undefined;
    const words = of as JSONSchemaProps;
    return nodeOf(part as JSONSchemaProps, words, {
      isRoot: words['x-kubernetes-embedded-resource'] === true,
      declared: type,
    });
  };
  const properties = new Map<string, RuleNode>();
  for (const [name, part] of Object.entries(own.properties ?? {})) {
    const of = ownValue(spine.properties, name);
    const escaped = escapedName(name);
    const type =
      escaped === undefined
        ? of && declaredType(of, typeName, of['x-kubernetes-embedded-resource'])
        : declared?.fields?.get(escaped);
    const node = type && below(part, of, type);
    if (node) properties.set(name, node);
  }
  const node: RuleNode = {
    ...{ words: spine, isRoot, properties },
    rules: compileAll(own['x-kubernetes-validations'] ?? [], spine, declared),
    additional: below(own.additionalProperties, spine.additionalProperties, declared?.item),
    items: below(own.items, spine.items, declared?.item),
    allOf: (own.allOf ?? []).flatMap((part) => nodeOf(part, spine, { isRoot, declared }) ?? []),
  };
  const isEmpty =
    node.rules.length + properties.size + node.allOf.length === 0 && !node.additional && !node.items;
  return isEmpty ? undefined : node;
}

/** The rules of one schema alone. */
export function compileAll(
  rules: readonly ValidationRule[],
  words: JSONSchemaProps,
  declared: DeclaredType | undefined,
): CompiledRule[] {
  if (rules.length === 0) return [];
  if (!declared)
    return rules.map((rule) =>
      failedRule(
        rule,
        'rule compiler initialization error: failed to convert to declType for CEL validation rules',
      ),
    );
  const environments = [declared.type, optionalOf(declared.type)].map(
    (oldSelf) =>
      new Environment({ variables: { self: declared.type, oldSelf }, fieldType: fieldTypesOf(declared) }),
  );
  return rules.map((rule) => compileRule(rule, environments[rule.optionalOldSelf ? 1 : 0]!, words, declared));
}

function failedRule(rule: ValidationRule, error: string | undefined): CompiledRule {
  return {
    ...{ rule, error, program: undefined, usesOldSelf: false, message: undefined, messageError: undefined },
    ...{ fieldPath: '', costMax: 0, messageCostMax: 0 },
  };
}

function compileRule(
  rule: ValidationRule,
  environment: Environment,
  words: JSONSchemaProps,
  declared: DeclaredType,
): CompiledRule {
  if (rule.rule.trim() === '') return failedRule(rule, undefined);
  const { expression: program, error } = compiled(environment, rule.rule, 'compilation failed: ');
  if (!program) return failedRule(rule, error);
  if (program.type.kind !== 'bool') return failedRule(rule, 'cel expression must evaluate to a bool');
  const sizes = sizesOf(declared);
  const text = rule.messageExpression ?? '';
  const message =
    text === '' ? undefined : compiled(environment, text, 'messageExpression compilation failed: ');
  const isText = !message?.expression || showType(message.expression.type) === 'string';
  const usable = isText ? message?.expression : undefined;
  return {
    ...{ rule, program, error: undefined, usesOldSelf: program.references.has('oldSelf') },
    message: usable,
    messageError: isText ? message?.error : 'messageExpression must evaluate to a string',
    fieldPath: rule.fieldPath ? (normalFieldPath(rule.fieldPath, words) ?? '') : '',
    costMax: program.estimate(sizes).max,
    messageCostMax: usable?.estimate(sizes).max ?? 0,
  };
}

function compiled(
  environment: Environment,
  text: string,
  prefix: string,
): { expression?: Expression; error?: string } {
  try {
    return { expression: environment.compile(text) };
  } catch (error) {
    if (error instanceof CompileError) return { error: `${prefix}${error.message}` };
    throw error;
  }
}
