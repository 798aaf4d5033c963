/** The object that keeps what an apply set holds, and how it is named (KEP-3659; upstream: kubectl's pkg/cmd/apply/applyset.go). */
import { createHash } from 'node:crypto';
import { type DiscoveredResource, type KubeClient, type KubeObject, kinds } from '@wherry/client';
import { hasReason } from '@wherry/kubeapi';
import { CommandError, SeveralProblems } from '../../../errors.ts';
import { type Catalog, groupVersionOf } from '../../../objects/catalog.ts';

/** Labels and annotations of the specification. */
export const keys = {
  /** Label of the parent. */
  id: 'applyset.kubernetes.io/id',
  /** Label of each member: the parent's ID. */
  partOf: 'applyset.kubernetes.io/part-of',
  /** Label of a definition whose custom resources may be parents. */
  isParentType: 'applyset.kubernetes.io/is-parent-type',
  tooling: 'applyset.kubernetes.io/tooling',
  kinds: 'applyset.kubernetes.io/contains-group-kinds',
  /** What `kinds` was before. */
  resources: 'applyset.kubernetes.io/contains-group-resources',
  namespaces: 'applyset.kubernetes.io/additional-namespaces',
} as const;

/** Where a parent is. */
export interface Parent {
  resource: DiscoveredResource;
  name: string;
  namespace: string | undefined;
}

/** What needs no definition that allows it; these are made where they are not there. */
const isBuiltIn = ({ group, version, plural }: DiscoveredResource): boolean =>
  group === '' && version === 'v1' && ['secrets', 'configmaps'].includes(plural);

/** The parent that `[RESOURCE[.GROUP]/]NAME` means. Throws `CommandError` for what is none. */
export function readParent(word: string, catalog: Catalog, namespace: string | undefined): Parent {
  const slash = word.indexOf('/');
  const [type, name] = slash < 0 ? ['secrets', word] : [word.slice(0, slash), word.slice(slash + 1)];
  const invalid = (why: string) =>
    new CommandError(`invalid parent reference ${JSON.stringify(word)}: ${why}`);
  if (name === '') throw invalid('name cannot be blank');
  const resource = catalog.find(type);
  if (!resource) {
    const [plural, ...group] = type.split('.');
    throw invalid(`no matches for ${group.join('.')}/, Resource=${plural}`);
  }
  return { resource, name, namespace: resource.namespaced ? namespace : undefined };
}

/** Throws `CommandError` unless the parent has a namespace where it needs one, and is of a kind that may be one. */
export async function refuseOtherParents({ resource, namespace }: Parent, client: KubeClient): Promise<void> {
  const wrong: string[] = [];
  if (resource.namespaced && namespace === undefined)
    wrong.push('namespace is required to use namespace-scoped ApplySet');
  if (!isBuiltIn(resource) && !(await isAllowed(resource, client))) {
    const { version, plural, group } = resource;
    const type = `${group}/${version}, Resource=${plural}`;
    wrong.push(`resource ${JSON.stringify(type)} is not permitted as an ApplySet parent`);
  }
  if (wrong.length > 0) throw new SeveralProblems(wrong);
}

async function isAllowed({ plural, group }: DiscoveredResource, client: KubeClient): Promise<boolean> {
  const { items } = await client
    .resource(kinds.customResourceDefinitions)
    .listAll({ labelSelector: keys.isParentType });
  return items.some(({ metadata }) => metadata?.name === `${plural}.${group}`);
}

/** What the parent and its members are labelled with. */
export function idOf({ resource: { kind, group }, name, namespace = '' }: Parent): string {
  const hash = createHash('sha256').update([name, namespace, kind, group].join('.'));
  return `applyset-${hash.digest('base64url')}-v1`;
}

/** A parent in messages: `secrets./web`. */
export const shown = ({ resource: { plural, group }, name }: Parent): string => `${plural}.${group}/${name}`;

/** `v1` and `Secret` of a parent. */
export const typeOf = ({ resource }: Parent) => ({
  apiVersion: groupVersionOf(resource),
  kind: resource.kind,
});

/** The parent as the server has it; undefined for one that is still to be made. Throws `CommandError` for one that can't be. */
export async function findParent(parent: Parent, client: KubeClient): Promise<KubeObject | undefined> {
  try {
    return await client.resource<KubeObject>(parent.resource).get(parent);
  } catch (error) {
    if (hasReason(error, 'NotFound')) {
      if (isBuiltIn(parent.resource)) return undefined;
      throw new CommandError('custom resource ApplySet parents cannot be created automatically');
    }
    const why = (error as Error).message;
    throw new CommandError(`failed to fetch ApplySet parent object "${shown(parent)}": ${why}`, {
      cause: error,
    });
  }
}

/** Throws `CommandError` for an object that is no parent, or another tool's. */
export function refuseOthersSet(parent: Parent, object: KubeObject, tool: string): void {
  const { annotations = {}, labels = {} } = object.metadata ?? {};
  const named = `ApplySet parent object "${shown(parent)}"`;
  const tooling = annotations[keys.tooling];
  if (tooling === undefined)
    throw new CommandError(`${named} already exists and is missing required annotation "${keys.tooling}"`);
  const owner = tooling.replace(/\/[^/]*$/, '');
  if (owner !== tool)
    throw new CommandError(
      `${named} already exists and is managed by tooling "${owner}" instead of "${tool}"`,
    );
  const id = labels[keys.id];
  if (id === undefined) throw new CommandError(`${named} exists and does not have required label ${keys.id}`);
  if (id !== idOf(parent))
    throw new CommandError(
      `${named} exists and has incorrect value for label "${keys.id}" (got: ${id}, want: ${idOf(parent)})`,
    );
}
