/** Puts objects into a namespace, and what names it into step. */

import { KustomizeError, within } from '../errors.ts';
import { type FieldSpec, fieldSpec } from '../model/field-spec.ts';
import { isClusterScoped } from '../model/gvk.ts';
import { idText, sameId } from '../model/object-id.ts';
import type { Resource } from '../model/resource.ts';
import type { ResourceList } from '../model/resource-list.ts';
import { become, fieldOf, text, textOf, type YamlNode } from '../yaml/node.ts';
import { atFields } from './at-fields.ts';

/** Which subjects of role bindings get the namespace. */
export const subjectModes = ['defaultOnly', 'allServiceAccounts', 'none'] as const;
export type SubjectMode = (typeof subjectModes)[number];

export interface NamespaceOptions {
  namespace: string;
  fieldSpecs: readonly FieldSpec[];
  /** Only where none is said. */
  unsetOnly?: boolean;
  subjects?: SubjectMode;
}

export function setNamespace(resources: ResourceList, options: NamespaceOptions): void {
  if (options.namespace === '') return;
  for (const resource of [...resources.items]) {
    if (resource.isGone) continue;
    resource.keepName();
    moveInto(resource, options);
    const { id } = resource;
    const same = resources.items.filter((other) => sameId(id, other.id));
    if (same.length !== 1) {
      const texts = same.map((one) => idText(one.originalId)).join(' ');
      throw new KustomizeError(`namespace transformation produces ID conflict: ${idText(id)} from ${texts}`);
    }
  }
}

function moveInto(
  resource: Resource,
  { namespace, fieldSpecs, unsetOnly = false, subjects = 'defaultOnly' }: NamespaceOptions,
): void {
  const change = (node: YamlNode) => {
    if (node.kind !== 'scalar') throw new KustomizeError('namespace field specs must target scalar nodes');
    if (!unsetOnly || node.text === '') become(node, { ...text(namespace), isQuoted: node.isQuoted });
  };
  const { gvk } = resource;
  const ownField = fieldSpec('metadata/namespace', { create: true });
  if (!isClusterScoped(gvk)) atFields(resource, [ownField], change, 'scalar');
  const isBinding = gvk.kind === 'RoleBinding' || gvk.kind === 'ClusterRoleBinding';
  if (isBinding) changeSubjects(resource, subjects, change);
  const isCore = gvk.group === '' && gvk.version === 'v1';
  const others = fieldSpecs.filter(
    ({ path, kind }) =>
      path !== 'metadata/namespace' &&
      (isCore || path !== 'metadata/name') &&
      !(isBinding && kind === gvk.kind && path === 'subjects/namespace'),
  );
  within('namespace transformation failed', () => atFields(resource, others, change, 'scalar'));
}

function changeSubjects({ node }: Resource, mode: SubjectMode, change: (node: YamlNode) => void): void {
  const subjects = node.fields.get('subjects');
  if (mode === 'none' || subjects?.kind !== 'list') return;
  for (const subject of subjects.items) {
    if (subject.kind !== 'map') continue;
    const isMeant =
      mode === 'defaultOnly'
        ? textOf(fieldOf(subject, 'name')) === 'default'
        : textOf(fieldOf(subject, 'kind')) === 'ServiceAccount';
    if (!isMeant) continue;
    const held = subject.fields.get('namespace') ?? text('');
    subject.fields.set('namespace', held);
    change(held);
  }
}
