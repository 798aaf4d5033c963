/** Whose the replicas are, in the words of a scale and in those of what is scaled (apimachinery, managedfields/scalehandler.go). */
import { isJsonObject, type JsonObject, type ManagedFieldsEntry, ownValue, setOwn } from '@wherry/kubeapi';

const scaleVersion = 'autoscaling/v1';
const scaleReplicas = ['f:spec', 'f:replicas'];

/** Those of an object's managers who have its replicas, as its scale's; `path` leads to the replicas. */
export function managersOfScale(
  entries: readonly ManagedFieldsEntry[],
  path: readonly string[],
): ManagedFieldsEntry[] {
  return entries
    .filter((entry) => hasPath(treeOf(entry), elements(path)))
    .map((entry) => ({ ...entry, apiVersion: scaleVersion, fieldsV1: withPath({}, scaleReplicas) }));
}

/** The object's managers once its scale has those of `scaled`; who is new there writes in `apiVersion`. */
export function managersOfScaled(
  entries: readonly ManagedFieldsEntry[],
  scaled: readonly ManagedFieldsEntry[],
  { path, apiVersion }: { path: readonly string[]; apiVersion: string },
): ManagedFieldsEntry[] {
  const owners = new Map<string, ManagedFieldsEntry>();
  for (const entry of scaled) if (hasPath(treeOf(entry), scaleReplicas)) owners.set(identityOf(entry), entry);
  const left: ManagedFieldsEntry[] = [];
  for (const entry of entries) {
    const owner = owners.get(identityOf(entry));
    const had = hasPath(treeOf(entry), elements(path));
    owners.delete(identityOf(entry));
    if (had === (owner !== undefined)) left.push(entry);
    else if (owner) left.push({ ...entry, fieldsV1: withPath(treeOf(entry), elements(path)) });
    else {
      const fieldsV1 = withoutPath(treeOf(entry), elements(path));
      if (Object.keys(fieldsV1).length > 0) left.push({ ...entry, fieldsV1 });
    }
  }
  for (const owner of owners.values())
    left.push({ ...owner, apiVersion, fieldsV1: withPath({}, elements(path)) });
  return left;
}

const elements = (path: readonly string[]) => path.map((name) => `f:${name}`);

const treeOf = ({ fieldsV1 }: ManagedFieldsEntry): JsonObject => (isJsonObject(fieldsV1) ? fieldsV1 : {});

/** A scale has one version: what an updater wrote in several is one there. */
const identityOf = ({ manager, operation, subresource }: ManagedFieldsEntry) =>
  JSON.stringify([manager, operation, subresource]);

function hasPath(tree: JsonObject, [element = '', ...rest]: readonly string[]): boolean {
  const below = ownValue(tree, element);
  if (!isJsonObject(below)) return false;
  if (rest.length > 0) return hasPath(below, rest);
  return Object.keys(below).length === 0 || Object.hasOwn(below, '.');
}

function withPath(tree: JsonObject, [element = '', ...rest]: readonly string[]): JsonObject {
  const below = ownValue(tree, element);
  const inner = isJsonObject(below) ? below : {};
  const result = { ...tree };
  setOwn(result, element, rest.length > 0 ? withPath(inner, rest) : inner);
  return result;
}

function withoutPath(tree: JsonObject, [element = '', ...rest]: readonly string[]): JsonObject {
  const below = ownValue(tree, element);
  const { [element]: _, ...others } = tree;
  if (rest.length === 0 || !isJsonObject(below)) return others;
  const inner = withoutPath(below, rest);
  return Object.keys(inner).length === 0 ? others : { ...others, [element]: inner };
}
