import { isDeepStrictEqual } from 'node:util';
import type { PodTemplateSpec } from '@wherry/kubeapi/objects';

/** The label by which the pods of one template are told from those of another. */
export const podTemplateHashLabel = 'pod-template-hash';

/** FNV-1a of 32 bits. */
function fnv1a(bytes: Iterable<number>): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

/** FNV-1 of 32 bits: multiplied before the byte comes in. */
export function fnv1(bytes: Iterable<number>): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = (Math.imul(hash, 0x01000193) ^ byte) >>> 0;
  return hash;
}

/** A number as text of letters and digits that make no words (apimachinery util/rand SafeEncodeString). */
export function safeText(value: number): string {
  const letters = 'bcdfghjklmnpqrstvwxz2456789';
  return [...String(value)].map((digit) => letters[digit.charCodeAt(0) % letters.length]).join('');
}

/** A value without what is empty, keys in order: equal things get equal texts. */
export function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(canonical);
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  const entries = Object.entries(value)
    .map(([key, each]) => [key, isEmptyObject(each) ? each : canonical(each)] as const)
    .filter(([key, each]) => each !== undefined && !(isMap.has(key) && isEmptyObject(each)));
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Fields whose empty map means the same as none; elsewhere an empty object says something (`emptyDir: {}`). */
const isMap = new Set(['labels', 'annotations', 'metadata', 'nodeSelector', 'securityContext', 'resources']);

function isEmptyObject(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
  );
}

function withoutHash({ metadata, spec }: PodTemplateSpec): unknown {
  const { [podTemplateHashLabel]: _hash, ...labels } = metadata?.labels ?? {};
  return canonical({ metadata: { ...metadata, labels }, spec });
}

/** Whether two templates make the same pods, whatever their hashes say. */
export function isSameTemplate(a: PodTemplateSpec, b: PodTemplateSpec): boolean {
  return isDeepStrictEqual(withoutHash(a), withoutHash(b));
}

/** A name for a template, another one after each collision. It need not be upstream's: nobody compares the two. */
export function templateHash(template: PodTemplateSpec, collisionCount?: number): string {
  const collisions = collisionCount === undefined ? '' : String(collisionCount);
  return safeText(fnv1a(Buffer.from(JSON.stringify(canonical(template)) + collisions)));
}
