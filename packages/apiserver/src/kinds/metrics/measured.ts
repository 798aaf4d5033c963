import {
  formatDurationMs,
  type GroupVersionKind,
  type NodeMetrics,
  notFound,
  type ObjectMeta,
  type PodMetrics,
} from '@wherry/kubeapi';
import type { ApiObject } from '../../objects/api-object.ts';
import type { Collection } from '../../registry/collection.ts';
import type { Handler } from '../../registry/handler.ts';
import { listObjects } from '../../registry/list.ts';
import type { ClusterUsage } from '../../usage/usage-meter.ts';
import type { Usage } from '../../usage/usage-rates.ts';
import { sendComputed, sendComputedList } from '../computed.ts';
import type { HandlerParts } from '../definition.ts';

/** Makes of an object what it takes; undefined when that is not known. */
export type Measure = (object: ApiObject, usage: ClusterUsage) => Measured | undefined;

/** What an object takes, as the API shows it. */
export type Measured = NodeMetrics | PodMetrics;

/**
 * Answers `get` and `list` of what stored objects take: they are found, selected and paged as what they are. One that was not
 * measured is left out of lists, and not found by its name, as metrics-server has it.
 */
export function measured(
  gvk: GroupVersionKind,
  parts: Pick<HandlerParts, 'usage'>,
  collection: Collection,
  measure: Measure,
): Handler {
  return {
    verbs: ['get', 'list'],
    async serve(request, wire) {
      const { info } = request;
      if (info.verb === 'get') {
        const { object } = await collection.storage.get({ namespace: info.namespace, name: info.name });
        const found = measure(object, await parts.usage.read());
        const ref = { group: gvk.group, resource: gvk.kind.toLowerCase(), kind: gvk.kind };
        if (!found) throw notFound(ref, [info.namespace, info.name].filter(Boolean).join('/'));
        return sendComputed(asObject(found), gvk, { request, wire });
      }
      const page = await listObjects(collection, request);
      const usage = await parts.usage.read();
      const found = page.items.flatMap(({ object }) => measure(object, usage) ?? []);
      const metadata = page.continueToken === '' ? {} : { continue: page.continueToken };
      sendComputedList(found.map(asObject), gvk, { request, wire, metadata });
    },
  };
}

const asObject = (found: Measured) => found as unknown as ApiObject;

/** Name and labels of what was measured, at the time of measuring. */
export function measuredMetadata({ name, namespace, labels }: ObjectMeta, atMs: number): ObjectMeta {
  return {
    name,
    ...(namespace ? { namespace } : {}),
    creationTimestamp: timeText(atMs),
    ...(labels ? { labels } : {}),
  } as ObjectMeta;
}

/** A time without fractions, as the API has it. */
export const timeText = (atMs: number): string => `${new Date(atMs).toISOString().slice(0, 19)}Z`;

/** The while that was measured, in Go's notation. */
export const windowText = (windowMs: number): string => formatDurationMs(Math.round(windowMs));

/** Processors to a billionth, memory and swap in kibibytes, as metrics-server prints them. */
export function amountsOf({ cpuNanoCores, memoryBytes, swapBytes }: Usage) {
  return {
    cpu: cpuNanoCores === 0 ? '0' : `${cpuNanoCores}n`,
    memory: bytesText(memoryBytes),
    swap: bytesText(swapBytes),
  };
}

function bytesText(bytes: number): string {
  if (bytes === 0) return '0';
  return bytes % 1_024 === 0 ? `${bytes / 1_024}Ki` : String(bytes);
}
