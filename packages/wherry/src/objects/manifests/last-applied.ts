import type { KubeObject } from '@wherry/client';
import { conform, goJson, isJsonObject, type JsonObject, parseExactJson, schemaFor } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { sortedKeys } from '../../output/json.ts';

/** Where client-side apply keeps what it was given, to see next time what is wanted no longer. */
export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** What client-side apply was given last; undefined where it has not made the object. Throws `CommandError` for what is no JSON. */
export function lastApplied({ metadata }: KubeObject): JsonObject | undefined {
  const text = metadata?.annotations?.[lastAppliedAnnotation];
  if (!text) return undefined;
  const value = parsed(text);
  if (value !== undefined) return isJsonObject(value) ? value : undefined;
  throw new CommandError(`${lastAppliedAnnotation} of ${metadata?.name} is no JSON`);
}

function parsed(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}

/** The object without what client-side apply was given last. */
export function withoutLastApplied<T extends KubeObject>(object: T): T {
  const { [lastAppliedAnnotation]: _text, ...annotations } = object.metadata?.annotations ?? {};
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** What was given last, as the annotation holds it. */
export const givenText = (object: KubeObject): string => `${goJson(sortedKeys(object))}\n`;

/** The object with itself as what was given last. */
export function withLastApplied<T extends KubeObject>(object: T): T {
  const { annotations, ...metadata } = withoutLastApplied(object).metadata ?? {};
  const bare = { ...object, metadata: { ...metadata, annotations } };
  const text = givenText(bare);
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...annotations, [lastAppliedAnnotation]: text } },
  };
}

/** The object of a file as it is sent: with itself as what was given last where that is wanted, or was so before. */
export function asGiven<T extends KubeObject>(object: T, { saveConfig }: { saveConfig?: boolean }): T {
  const isSaved = Boolean(object.metadata?.annotations?.[lastAppliedAnnotation]);
  return saveConfig || isSaved ? withLastApplied(object) : object;
}

/** An object that a command has made, likewise; what was given is written as Go writes its type. */
export function asMade<T extends KubeObject>(object: T, { saveConfig }: { saveConfig?: boolean }): T {
  const { apiVersion = '', kind = '', metadata } = object;
  const schema = schemaFor(apiVersion, kind);
  if (!saveConfig || !schema) return object;
  const text = `${goJson(conform(object as unknown as JsonObject, schema).object)}\n`;
  const annotations = { ...metadata?.annotations, [lastAppliedAnnotation]: text };
  return { ...object, metadata: { ...metadata, annotations } };
}
