import { createHash } from 'node:crypto';
import { type ConfigMap, goJson, type Secret } from '@wherry/kubeapi';

/** A flag of what fills a ConfigMap or a Secret. */
export interface HashFlags {
  /** Its name is to end with a hash of its content. */
  appendHash?: boolean | undefined;
}

/** The object under the name that it has by its content, as kubectl would name it. */
export function withHash<T extends ConfigMap | Secret>(object: T, { appendHash }: HashFlags): T {
  if (!appendHash) return object;
  const { name } = object.metadata;
  return { ...object, metadata: { ...object.metadata, name: `${name}-${hashOf(object)}` } };
}

const hashLength = 10;
/** So that no hash has a word in it that somebody could mind. */
const replaced = new Map([
  ['0', 'g'],
  ['1', 'h'],
  ['3', 'k'],
  ['a', 'm'],
  ['e', 't'],
]);

function hashOf(object: ConfigMap | Secret): string {
  const { kind, data = {}, metadata } = object;
  const { name } = metadata;
  const binary = 'binaryData' in object ? { binaryData: object.binaryData } : {};
  const content =
    kind === 'Secret' ? { data, kind, name, type: secretType(object) } : { ...binary, data, kind, name };
  const hash = createHash('sha256').update(goJson(content)).digest('hex').slice(0, hashLength);
  return [...hash].map((one) => replaced.get(one) ?? one).join('');
}

const secretType = (object: ConfigMap | Secret): string => ('type' in object ? (object.type ?? '') : '');
