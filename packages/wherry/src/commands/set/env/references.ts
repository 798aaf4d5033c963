import type { KubeObject } from '@wherry/client';
import {
  type Container,
  type EnvVarSource,
  ownValue,
  qualifiedName,
  type ResourceFieldSelector,
} from '@wherry/kubeapi';
import { downwardMapText } from '@wherry/podrules';
import { resourceValue } from '../../../describe/pods/resource-value.ts';
import { CommandError } from '../../../errors.ts';

/** Says where the value of a variable comes from. */
export function referenceText(from: EnvVarSource): string {
  const { configMapKeyRef: map, secretKeyRef: secret, fieldRef: field, resourceFieldRef: amount } = from;
  if (map) return `configmap ${map.name}, key ${map.key}`;
  if (secret) return `secret ${secret.name}, key ${secret.key}`;
  if (field) return `field path ${field.fieldPath}`;
  if (!amount) return 'invalid valueFrom';
  return `resource field ${amount.containerName ? `${amount.containerName}/` : ''}${amount.resource}`;
}

/** Where references are followed. */
export interface Place {
  /** That which holds the container. */
  object: KubeObject;
  container: Container;
  /** The data of a config map or, decoded, of a secret. */
  dataOf(kind: 'ConfigMap' | 'Secret', name: string): Promise<ReadonlyMap<string, string>>;
}

/** The value that a variable gets. Throws `CommandError` with why it has none, and what `dataOf` throws. */
export async function referredValue(from: EnvVarSource, place: Place): Promise<string> {
  const { secretKeyRef: secret, configMapKeyRef: map, fieldRef, resourceFieldRef } = from;
  if (secret) return keyOf(await place.dataOf('Secret', secret.name ?? ''), secret, 'secret');
  if (map) return keyOf(await place.dataOf('ConfigMap', map.name ?? ''), map, 'config map');
  if (fieldRef) return fieldText(fieldRef.fieldPath, place.object);
  if (resourceFieldRef) return amountText(resourceFieldRef, place.container);
  throw new CommandError('invalid valueFrom');
}

function keyOf(
  data: ReadonlyMap<string, string>,
  { key, name }: { key: string; name?: string },
  what: string,
): string {
  const value = data.get(key);
  if (value === undefined) throw new CommandError(`key ${key} not found in ${what} ${name}`);
  return value;
}

/** A field of the object itself, whatever pods are made of it. */
function fieldText(path: string, { metadata = {} }: KubeObject): string {
  const [, list, key = ''] = /^(.+?)\['(.*)'\]$/s.exec(path) ?? [];
  if (list !== undefined) {
    if (list !== 'metadata.annotations' && list !== 'metadata.labels')
      throw new CommandError(`fieldPath ${JSON.stringify(path)} does not support subscript`);
    const isLabel = list === 'metadata.labels';
    const complaints = qualifiedName(isLabel ? key : key.toLowerCase());
    if (complaints.length > 0)
      throw new CommandError(`invalid key subscript in ${path}: ${complaints.join(';')}`);
    return ownValue(isLabel ? metadata.labels : metadata.annotations, key) ?? '';
  }
  switch (path) {
    case 'metadata.annotations':
      return downwardMapText(metadata.annotations);
    case 'metadata.labels':
      return downwardMapText(metadata.labels);
    case 'metadata.name':
      return metadata.name ?? '';
    case 'metadata.namespace':
      return metadata.namespace ?? '';
    case 'metadata.uid':
      return metadata.uid ?? '';
    default:
      throw new CommandError(`unsupported fieldPath: ${path}`);
  }
}

/** What the container itself asks for, in units of the divisor, rounded up. */
function amountText(asked: ResourceFieldSelector, container: Container): string {
  const value = resourceValue(asked, container);
  if (value === undefined) throw new CommandError(`Unsupported container resource : ${asked.resource}`);
  return value;
}
