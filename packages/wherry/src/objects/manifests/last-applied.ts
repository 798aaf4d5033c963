import type { KubeObject } from '@wherry/client';
import { goJson, isJsonObject, type JsonObject } from '@wherry/kubeapi';
import { sortedKeys } from '../../output/json.ts';

/** Where client-side apply keeps what it was given, to see next time what is wanted no longer. */
export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** What client-side apply was given last; undefined where it has not made the object. */
export function lastApplied({ metadata }: KubeObject): JsonObject | undefined {
  const text = metadata?.annotations?.[lastAppliedAnnotation];
  if (!text) return undefined;
  const value: unknown = JSON.parse(text);
  return isJsonObject(value) ? value : undefined;
}

/** The object without what client-side apply was given last. */
export function withoutLastApplied<T extends KubeObject>(object: T): T {
  const { [lastAppliedAnnotation]: _text, ...annotations } = object.metadata?.annotations ?? {};
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** The object with itself as what was given last. */
export function withLastApplied<T extends KubeObject>(object: T): T {
  const { annotations, ...metadata } = withoutLastApplied(object).metadata ?? {};
  const bare = { ...object, metadata: { ...metadata, annotations } };
  const text = `${goJson(sortedKeys(bare))}\n`;
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...annotations, [lastAppliedAnnotation]: text } },
  };
}
