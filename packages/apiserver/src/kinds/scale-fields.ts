import {
  internalError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type LabelSelector,
  matcherFrom,
  ownValue,
  setOwn,
} from '@wherry/kubeapi';
import { type ApiObject, as } from '../objects/api-object.ts';

/** Where the objects of a kind have what their scale tells of. */
export interface ScaleFields {
  /** Names down to the number of replicas that is wanted. */
  replicas: readonly string[];
  /** Names down to the number of those that are there. */
  statusReplicas: readonly string[];
  /** The pods that are counted, as a label selector in text. */
  selector(object: ApiObject): string;
  /** True where an object without a number of replicas has no scale. */
  needsReplicas: boolean;
}

/** Of the built-in kinds. */
export const workloadScale: ScaleFields = {
  replicas: ['spec', 'replicas'],
  statusReplicas: ['status', 'replicas'],
  selector: ({ spec }) => selectorText(spec?.['selector']),
  needsReplicas: false,
};

/** The number at some place of an object; undefined when there is none. */
export function numberAt(object: ApiObject, path: readonly string[]): number | undefined {
  const value = valueAt(object, path);
  return typeof value === 'number' ? value : undefined;
}

/** What stands at some place of an object. */
export function valueAt(object: ApiObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = as<JsonObject>(object);
  for (const name of path) value = isJsonObject(value) ? ownValue(value, name) : undefined;
  return value;
}

/** Puts a value at some place of an object, and what is missing on the way there. */
export function setAt(object: JsonObject, path: readonly string[], value: JsonValue): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    setOwn(object, name, value);
    return;
  }
  const present = ownValue(object, name);
  const inner = isJsonObject(present) ? present : {};
  setOwn(object, name, inner);
  setAt(inner, rest, value);
}

/** The number of wanted replicas. Throws 500 as upstream where the kind needs one. */
export function replicasOf(object: ApiObject, { replicas, needsReplicas }: ScaleFields): number {
  const found = numberAt(object, replicas);
  if (found === undefined && needsReplicas) {
    const path = `.${replicas.join('.')}`;
    throw internalError(new Error(`the spec replicas field ${JSON.stringify(path)} does not exist`));
  }
  return found ?? 0;
}

/** Replication controllers select by labels alone. */
function selectorText(selector: unknown): string {
  if (selector === undefined || selector === null) return '';
  const values = Object.values(selector);
  const isPlain = values.every((value) => typeof value === 'string');
  return matcherFrom(
    isPlain ? { matchLabels: selector as Record<string, string> } : (selector as LabelSelector),
  ).toString();
}
