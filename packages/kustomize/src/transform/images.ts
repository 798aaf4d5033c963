/** Names, tags and digests of images. */

import { KustomizeError } from '../errors.ts';
import type { FieldSpec } from '../model/field-spec.ts';
import type { ResourceList } from '../model/resource-list.ts';
import { compilePattern, type Pattern } from '../patterns.ts';
import { become, scalar, type YamlNode } from '../yaml/node.ts';
import { atFields } from './at-fields.ts';

export interface ImageChange {
  name?: string;
  newName?: string;
  newTag?: string;
  tagSuffix?: string;
  digest?: string;
}

/** Containers anywhere, and what the specs name; definitions of custom resources are left alone. */
export function setImage(
  resources: ResourceList,
  image: ImageChange,
  fieldSpecs: readonly FieldSpec[],
): void {
  const isMeant = compilePattern(`^${image.name ?? ''}(:[a-zA-Z0-9_.{}-]*)?(@sha256:[a-zA-Z0-9_.{}-]*)?$`);
  const change = (node: YamlNode) => changeImage(node, image, isMeant);
  for (const resource of resources.items) {
    if (resource.kind === 'CustomResourceDefinition') continue;
    inContainers(resource.node, change);
  }
  for (const resource of resources.items) {
    if (resource.kind !== 'CustomResourceDefinition') atFields(resource, fieldSpecs, change);
  }
}

function inContainers(node: YamlNode, change: (node: YamlNode) => void): void {
  if (node.kind === 'scalar') return;
  if (node.kind === 'list') {
    for (const item of node.items) inContainers(item, change);
    return;
  }
  for (const [key, value] of node.fields) {
    inContainers(value, change);
    if ((key !== 'containers' && key !== 'initContainers') || value.kind !== 'list') continue;
    for (const container of value.items) {
      const image = container.kind === 'map' ? container.fields.get('image') : undefined;
      if (image) change(image);
    }
  }
}

function changeImage(node: YamlNode, image: ImageChange, isMeant: Pattern): void {
  if (node.kind !== 'scalar') throw new KustomizeError('wrong node kind: expected ScalarNode');
  if (!isMeant(node.text)) return;
  const parts = splitImage(node.text);
  const { newName, newTag, digest, tagSuffix } = image;
  const name = newName || parts.name;
  if (newTag || digest) Object.assign(parts, { tag: newTag ?? '', digest: digest ?? '' });
  else if (tagSuffix) Object.assign(parts, { tag: parts.tag + tagSuffix, digest: '' });
  const tag = parts.tag === '' ? '' : `:${parts.tag}`;
  become(node, {
    ...scalar(`${name}${tag}${parts.digest === '' ? '' : `@${parts.digest}`}`),
    isQuoted: node.isQuoted,
  });
}

/** A colon in front of the first slash is a port's. */
function splitImage(image: string): { name: string; tag: string; digest: string } {
  const slash = Math.max(image.indexOf('/'), 0);
  const at = image.indexOf('@', slash);
  const colon = image.indexOf(':', slash);
  if (at >= 0 && (colon < 0 || at < colon))
    return { name: image.slice(0, at), tag: '', digest: image.slice(at + 1) };
  if (colon < 0) return { name: image, tag: '', digest: '' };
  const end = at < 0 ? image.length : at;
  return { name: image.slice(0, colon), tag: image.slice(colon + 1, end), digest: image.slice(end + 1) };
}
