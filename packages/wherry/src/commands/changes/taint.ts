import { type DiscoveredResource, type KubeClient, type KubeObject, kinds } from '@wherry/client';
import type { Node, Taint } from '@wherry/kubeapi';
import { CommandError, SeveralProblems } from '../../errors.ts';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';
import { Catalog } from '../../objects/catalog.ts';
import { patchedHere } from '../../objects/local-patch.ts';
import type { FieldValidation } from '../../objects/manifests/field-validation.ts';
import { type OutcomeFlags, outcomePrinter } from '../../objects/outcome.ts';
import { type NamedObject, parseNames } from '../../objects/targets.ts';
import { Failures } from '../../output/failures.ts';
import { splitPairs } from './pairs.ts';
import { changedTaints, contradictions, keysThere, parseTaints, type TaintChanges } from './taints.ts';

/** Flags of `wherry taint`. */
export interface TaintFlags extends KubeFlags, OutcomeFlags {
  selector?: string;
  all?: boolean;
  overwrite?: boolean;
  fieldManager: string;
  validate: FieldValidation;
}

/** A word that is wrong in itself: whoever typed it is led to the help. */
export type WrongTaint = (message: string) => never;

const isTaint = (word: string): boolean => /[=:]|-$/.test(word);

/** Adds taints to nodes by `KEY=VALUE:EFFECT`, and takes them away by `KEY:EFFECT-` or `KEY-`. */
export async function taint(words: readonly string[], flags: TaintFlags, refuse: WrongTaint): Promise<void> {
  const { resources, pairs } = splitPairs(words, 'taint', isTaint);
  const [type, ...names] = resources;
  if (type === undefined)
    throw new CommandError('one or more resources must be specified as <resource> <name>');
  if (pairs.length === 0) throw new CommandError('at least one taint update is required');
  const changes = readTaints(pairs, refuse);
  const client = clientFor(flags);
  const catalog = await Catalog.of(client);
  const nodes = nodesNamed(type.toLowerCase(), catalog);
  refuseContradictions(changes, names, flags);
  const failures = new Failures();
  // kubectl does not say of a dry run that it is one.
  const tell = outcomePrinter({ ...flags, dryRun: 'none' }, { isTyped: true });
  const isSelected = flags.all || flags.selector;
  const meant = isSelected
    ? await selected(client, nodes, flags)
    : named(client, parseNames(names, { type: nodes, catalog }), flags);
  for (const one of meant) {
    const changed = await failures.attempt(changeOne(client, one, { changes, flags }));
    if (changed) tell({ resource: one.resource, ...changed });
  }
  failures.report();
}

function readTaints(pairs: readonly string[], refuse: WrongTaint): TaintChanges {
  try {
    return parseTaints(pairs);
  } catch (error) {
    if (error instanceof CommandError) refuse(error.message);
    throw error;
  }
}

/** Of `nodes.v1.` the first part alone says the type, as kubectl has it. */
function nodesNamed(type: string, catalog: Catalog): DiscoveredResource {
  const resource = catalog.one(type.split('.')[0] ?? type);
  if (resource.kind === 'Node') return resource;
  throw new CommandError(`invalid resource type ${type}, only node types are supported`);
}

function refuseContradictions(
  changes: TaintChanges,
  names: readonly string[],
  { all, selector }: TaintFlags,
): void {
  const both = contradictions(changes);
  if (both.length > 0) {
    throw new CommandError(
      `can not both modify and remove the following taint(s) in the same command: ${both.join(', ')}`,
    );
  }
  if (all && selector)
    throw new CommandError("setting 'all' parameter with a non empty selector is prohibited");
  if (all || selector || names.length > 0) return;
  throw new CommandError("at least one resource name must be specified since 'all' parameter is not set");
}

/** A node as it was listed, or one that is still to be fetched: it may be named twice. */
interface Meant extends NamedObject {
  object?: KubeObject;
}

/** Beside a selector names are not looked at, as kubectl has it. */
async function selected(
  client: KubeClient,
  resource: DiscoveredResource,
  { selector }: TaintFlags,
): Promise<Meant[]> {
  const { items } = await client.resource<Node>(kinds.nodes).listAll({ labelSelector: selector });
  return items.map((node) => ({
    ...{ resource, name: node.metadata.name ?? '', namespace: undefined },
    object: { ...node, apiVersion: 'v1', kind: 'Node' },
  }));
}

const named = (
  client: KubeClient,
  objects: readonly Omit<NamedObject, 'namespace'>[],
  flags: TaintFlags,
): Meant[] =>
  objects.map((one) => ({
    ...one,
    namespace: one.resource.namespaced ? (flags.namespace ?? client.access.namespace) : undefined,
  }));

interface Change {
  changes: TaintChanges;
  flags: TaintFlags;
}

async function changeOne(
  client: KubeClient,
  one: Meant,
  { changes, flags }: Change,
): Promise<{ object: KubeObject; done: string }> {
  const { resource, name } = one;
  const object = one.object ?? (await client.resource<KubeObject>(resource).get(one));
  if (resource.kind !== 'Node')
    throw new CommandError(`unexpected type *${resource.version}.${resource.kind}, expected Node`);
  const before = (object as Node).spec?.taints ?? [];
  const there = flags.overwrite ? [] : keysThere(before, changes);
  if (there.length > 0) {
    const what = `${there.join(',')} taint(s) with same effect(s) and --overwrite is false`;
    throw new CommandError(`node ${name} already has ${what}`);
  }
  const { taints, isAdded, absent } = changedTaints(before, changes);
  if (absent.length > 0) throw new SeveralProblems(absent.map((each) => `taint "${each}" not found`));
  const isModified = flags.overwrite || (isAdded && changes.remove.length > 0);
  const done = isModified ? 'modified' : isAdded ? 'tainted' : 'untainted';
  return { object: await write(client, object, { taints, flags }), done };
}

/** The list is replaced as a whole, whoever wrote it. */
async function write(
  client: KubeClient,
  object: KubeObject,
  { taints, flags: { dryRun, fieldManager, validate } }: { taints: readonly Taint[]; flags: TaintFlags },
): Promise<KubeObject> {
  const patch = { spec: { taints: taints.length === 0 ? null : taints } };
  if (dryRun === 'client') return patchedHere(object, { type: 'strategic', patch });
  const name = object.metadata?.name ?? '';
  return client.resource<KubeObject>(kinds.nodes).patch({
    ...{ type: 'strategic', name, patch, fieldManager, fieldValidation: validate },
    dryRun: dryRun === 'server',
  });
}
