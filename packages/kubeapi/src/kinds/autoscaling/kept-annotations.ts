/** What the first version of autoscalers has no fields for: it stands in annotations, as JSON that Go has written. */
import type { HorizontalPodAutoscalerBehavior, HPAScalingRules } from '../../generated/types.ts';
import { goJson } from '../../json/go-json.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../json/json-value.ts';
import { ConformError, conform } from '../../schema/conform.ts';
import { type MessageSchema, messageSchema } from '../../schema/schema.ts';

const prefix = 'autoscaling.alpha.kubernetes.io/';

/** Annotations that never stand for themselves. */
export const keptAnnotations = {
  metrics: `${prefix}metrics`,
  currentMetrics: `${prefix}current-metrics`,
  conditions: `${prefix}conditions`,
  behavior: `${prefix}behavior`,
  scaleDownTolerance: `${prefix}scale-down-tolerance`,
  scaleUpTolerance: `${prefix}scale-up-tolerance`,
} as const;

/** Objects of one message, in the schema's form. */
export function inForm(values: readonly object[], message: string): JsonObject[] {
  const schema = messageSchema(message);
  return values.map((value) => conform(value as JsonObject, schema).object);
}

/** The list of messages that a text says; undefined when it says none, and as upstream nobody is told. */
export function readKept<T>(text: string | undefined, message: string): T[] | undefined {
  return reading(text, (value) => {
    if (value !== null && !Array.isArray(value)) throw new ConformError('not a list');
    const schema = messageSchema(message);
    return (value ?? []).map((item) => conform(folded(item ?? {}, schema), schema).object as T);
  });
}

/** The behavior that a text says, which has Go's names of fields; undefined when it says nothing of any way. */
export function readBehavior(text: string | undefined): JsonObject | undefined {
  const schema = messageSchema('HorizontalPodAutoscalerBehavior');
  const behavior = reading(text, (value) => conform(folded(value ?? {}, schema), schema).object);
  return behavior && Object.keys(behavior).length > 0 ? behavior : undefined;
}

/** The text of a behavior, with Go's names of fields. */
export function behaviorText({ scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior): string {
  const rules = (way: HPAScalingRules | undefined) =>
    way
      ? {
          StabilizationWindowSeconds: way.stabilizationWindowSeconds ?? null,
          SelectPolicy: way.selectPolicy ?? null,
          Policies:
            way.policies?.map(({ type, value, periodSeconds }) => ({
              Type: type,
              Value: value,
              PeriodSeconds: periodSeconds,
            })) ?? null,
          Tolerance: way.tolerance ?? null,
        }
      : null;
  return goJson({ ScaleUp: rules(scaleUp), ScaleDown: rules(scaleDown) });
}

function reading<T>(text: string | undefined, read: (value: JsonValue) => T): T | undefined {
  if (text === undefined) return undefined;
  try {
    return read(JSON.parse(text) as JsonValue);
  } catch (error) {
    if (error instanceof ConformError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** With the schema's names of fields where a text has them in other cases, which Go takes for the same. */
function folded(value: JsonValue, schema: MessageSchema): JsonValue {
  if (!isJsonObject(value)) return value;
  const names = new Map([...schema.jsonFields.keys()].map((name) => [name.toLowerCase(), name]));
  const result: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    const name = schema.jsonFields.has(key) ? key : (names.get(key.toLowerCase()) ?? key);
    const field = schema.jsonFields.get(name);
    const inner = field?.message === undefined ? undefined : messageSchema(field.message);
    const isList = field?.shape === 'list' && Array.isArray(item);
    if (!inner || field?.shape === 'map') setOwn(result, name, item);
    else setOwn(result, name, isList ? item.map((each) => folded(each, inner)) : folded(item, inner));
  }
  return result;
}
