/** What extension servers answer about metrics (k8s.io/metrics: custom_metrics and external_metrics), read with care. */
import { isJsonObject, type JsonObject, type JsonValue, parseQuantity } from '@wherry/kubeapi/objects';

/** One value of a metric. */
export interface MetricValue {
  /** Of the object that it describes; empty of external metrics. */
  objectName: string;
  /** In thousandths, at most what 64 bits hold. */
  milli: bigint;
  atMs: number;
  windowMs: number;
}

/** The most that upstream's amounts hold. */
export const milliMax = 2n ** 63n - 1n;

/** Values that do not say over how long they were taken (upstream's metricServerDefaultMetricWindow). */
const usualWindowMs = 60_000;

/** The values of a list of that kind, of any version. Throws on anything else. */
export function readMetricValues(answer: JsonValue, kind: string, server: string): MetricValue[] {
  if (!isJsonObject(answer) || answer['kind'] !== kind) {
    const found = isJsonObject(answer) ? (answer['kind'] ?? 'an object without a kind') : typeof answer;
    throw new Error(
      `the ${server} metrics API server didn't return ${kind}, the type is ${typeof found === 'string' ? found : typeof found}`,
    );
  }
  const items = answer['items'] ?? [];
  if (!Array.isArray(items)) throw new Error(`the items of the ${kind} are no list`);
  return items.map((item, index) => readOne(item, `items[${index}] of the ${kind}`));
}

function readOne(item: JsonValue, what: string): MetricValue {
  if (!isJsonObject(item)) throw new Error(`${what} is no object`);
  const described = item['describedObject'];
  const name = isJsonObject(described) ? described['name'] : undefined;
  return {
    objectName: typeof name === 'string' ? name : '',
    milli: amountOf(item['value'], what),
    atMs: typeof item['timestamp'] === 'string' ? Date.parse(item['timestamp']) : 0,
    windowMs: windowOf(item),
  };
}

/** A number is taken for a quantity too, as it is by upstream. */
function amountOf(value: JsonValue | undefined, what: string): bigint {
  if (typeof value !== 'string' && typeof value !== 'number') throw new Error(`${what} has no value`);
  const milli = parseQuantity(String(value)).milliValue();
  if (milli > milliMax) return milliMax;
  return milli < -milliMax ? -milliMax : milli;
}

/** The first version calls it by another name. */
function windowOf({ windowSeconds, window = windowSeconds }: JsonObject): number {
  return typeof window === 'number' ? window * 1_000 : usualWindowMs;
}
