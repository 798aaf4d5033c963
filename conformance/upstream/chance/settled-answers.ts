import { isJsonObject, type JsonObject } from '@wherry/kubeapi';
import type { Answered } from '../two-servers.ts';
import { Names } from './names.ts';

/** Fields that say when, or what no client reads. */
const hidden: ReadonlySet<string> = new Set([
  ...['creationTimestamp', 'deletionTimestamp', 'time', 'startTime', 'continue', 'lastTransitionTime'],
  'token',
]);

/** Headers of the connection, and those that name one answer. */
const hiddenHeaders: ReadonlySet<string> = new Set([
  ...['date', 'audit-id', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'vary'],
  ...['x-kubernetes-pf-flowschema-uid', 'x-kubernetes-pf-prioritylevel-uid', 'x-content-type-options'],
]);

/** Lists that upstream tells in any order. */
const unordered: ReadonlySet<string> = new Set(['managedFields', 'resourceRules', 'nonResourceRules']);

const uidForm = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const timeForm = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/** The answers of one server with names in place of what is of the server, or of the moment. */
export class SettledAnswers {
  readonly #names = new Names();

  of({ code, headers }: Answered, documents: readonly unknown[]): unknown {
    const seen = Object.entries(headers).filter(([name]) => !hiddenHeaders.has(name));
    return {
      code,
      headers: Object.fromEntries(seen),
      body: documents.map((body) => this.#settled(body, '')),
    };
  }

  #settled(value: unknown, name: string): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#settled(item, ''));
      // Upstream takes them from a map, or puts entries of one second in an order that hangs on the clock.
      if (unordered.has(name)) return items.sort(byText);
      // A mistake in metadata it tells once for each of its checks.
      return name === 'causes' ? withoutDoubles(items.sort(byText)) : items;
    }
    if (!isJsonObject(value)) return value;
    const entries = Object.entries(value).map(([key, part]) => [key, this.#field(key, part, value)]);
    return withSortedMistakes(Object.fromEntries(entries));
  }

  #field(name: string, value: unknown, { uid }: JsonObject): unknown {
    if (hidden.has(name)) return value === null || value === '' ? value : '…';
    if (name !== 'resourceVersion' || typeof value !== 'string' || value === '')
      return this.#settled(value, name);
    // Those of lists have nothing to say: others write meanwhile.
    return typeof uid === 'string' ? this.#names.of(`version of ${this.#names.of('uid', uid)}`, value) : '…';
  }

  #text(text: string): string {
    return text
      .replaceAll(uidForm, (uid) => this.#names.of('uid', uid))
      .replaceAll(timeForm, '…')
      .replaceAll(/\b10\.96\.\d+\.\d+\b/g, '10.96.…')
      .replaceAll(/^\d{1,3}s$/g, '…')
      .replaceAll(/\bkube-api-access-[a-z0-9]{5}\b/g, 'kube-api-access-…')
      .replaceAll(/\bchance-[a-z0-9]{5}\b/g, 'chance-…')
      .replaceAll(/(?<=current: |in record \(|"resourceVersion\\*":\\*")\d+/g, '…');
  }
}

const byText = (left: unknown, right: unknown) => (keyOf(left) < keyOf(right) ? -1 : 1);

/** Of several mistakes in one message the words alone: their order is that of the checks. */
function withSortedMistakes(value: JsonObject): JsonObject {
  const { message } = value;
  if (value['kind'] !== 'Status' || typeof message !== 'string') return value;
  const sorted = message.replace(/(?<= is invalid: \[).*(?=\]$)/s, (list) =>
    list.split(/,? /).sort().join(' '),
  );
  return { ...value, message: sorted };
}

const withoutDoubles = (items: unknown[]) => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
];

function keyOf(value: unknown): string {
  if (!isJsonObject(value)) return JSON.stringify(value);
  if ('verbs' in value) return JSON.stringify(value);
  if (value['operation'] === undefined) return [value['field'], value['reason'], value['message']].join();
  return ['operation', 'manager', 'subresource', 'apiVersion'].map((name) => String(value[name])).join();
}

/** The documents of an answer: one, the events of a watch, or its text. */
export function parseAnswer(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return parseLines(text) ?? [text];
  }
}

function parseLines(text: string): unknown[] | undefined {
  try {
    const lines = text.split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line) as unknown);
  } catch {
    return undefined;
  }
}
