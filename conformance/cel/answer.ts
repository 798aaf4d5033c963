import type { JSONSchemaProps, JsonObject, JsonValue } from '@wherry/kubeapi';
import { Environment } from '../../packages/kubeapi/src/cel/environment.ts';
import { declaredType, fieldTypesOf, sizesOf } from '../../packages/kubeapi/src/cel/schema/declared-type.ts';
import { typedValue } from '../../packages/kubeapi/src/cel/schema/typed-value.ts';
import { CompileError } from '../../packages/kubeapi/src/cel/syntax/ast.ts';
import { dyn } from '../../packages/kubeapi/src/cel/types.ts';
import { fromJson } from '../../packages/kubeapi/src/cel/values/json.ts';
import { showDuration, showTimestamp } from '../../packages/kubeapi/src/cel/values/time.ts';
import {
  CelList,
  CelMap,
  Duration,
  isError,
  Optional,
  Timestamp,
  TypeValue,
  typeNameOf,
  Uint,
  type Value,
} from '../../packages/kubeapi/src/cel/values/value.ts';
import { celRunCostMax } from '../../packages/kubeapi/src/limits.ts';

/** In the judge's form. */
export interface OwnAnswer {
  wrong?: string;
  estimate: string;
  value: string;
  error: string;
  cost: number;
}

/** What our evaluator makes of an expression. */
export function answerOf(
  expression: string,
  { schema, self }: { schema: JsonObject | undefined; self: JsonValue },
): OwnAnswer {
  const words = schema as unknown as JSONSchemaProps | undefined;
  const declared = words && declaredType(words, 'selfType');
  const environment = declared
    ? new Environment({ variables: { self: declared.type }, fieldType: fieldTypesOf(declared) })
    : new Environment({ variables: { self: dyn } });
  try {
    const compiled = environment.compile(expression);
    const { max } = compiled.estimate(declared ? sizesOf(declared) : () => undefined);
    const given = words ? typedValue(self, words) : fromJson(self);
    const { value, cost } = compiled.evaluate((name) => (name === 'self' ? given : undefined), celRunCostMax);
    const failure = isError(value) ? value.message : undefined;
    return {
      estimate: shownCost(max),
      value: failure === undefined ? shown(value) : '',
      error: failure ?? '',
      cost,
    };
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    return { wrong: error.message, estimate: '', value: '', error: '', cost: 0 };
  }
}

/** As Go prints it with twelve digits. */
/** As the judge shows it. */
export function shownCost(cost: number): string {
  const digits = Number(cost.toPrecision(12));
  return digits < 1e12 ? String(digits) : digits.toExponential().replace(/e\+(\d)$/, 'e+0$1');
}

/** As the judge shows a value. */
export function shown(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return `double ${Number(value.toPrecision(15))}`;
  if (typeof value !== 'object') return `${typeNameOf(value)} ${value}`;
  if (value instanceof Uint) return `uint ${value.value}`;
  if (value instanceof Optional)
    return value.value === undefined ? 'optional' : `optional ${shown(value.value)}`;
  if (value instanceof Timestamp) return `${typeNameOf(value)} ${showTimestamp(value)}`;
  if (value instanceof Duration) return `${typeNameOf(value)} ${showDuration(value)}`;
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('hex')}`;
  if (value instanceof CelList) return `[${[...value].map(shown).join(', ')}]`;
  if (value instanceof CelMap)
    return `{${[...value.keys()]
      .map((key) => `${shown(key)}: ${shown(value.get(key)!)}`)
      .sort()
      .join(', ')}}`;
  return value instanceof TypeValue ? `type ${value.name}` : typeNameOf(value);
}
