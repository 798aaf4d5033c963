import { formatApiVersion, parseApiVersion } from '@wherry/kubeapi';
import type { ApiObject } from './api-object.ts';
import { Snapshot } from './snapshot.ts';
import { parseStored, storedApiVersion, toStoredText } from './stored-text.ts';
import type { ServedResource } from './strategy.ts';

/** What is needed of a stored object to show it. */
export interface StoredText {
  value: string;
  /** 0: was never stored (dry run). */
  modRevision: number;
}

/**
 * Stored objects as a resource shows them, in their order. Where another server converts, all that stand in another version
 * are sent to it at once; then this throws its StatusErrors.
 */
export async function shownSnapshots(
  resource: ServedResource,
  stored: readonly StoredText[],
): Promise<Snapshot[]> {
  const { facts, conversion } = resource;
  const plain = () => stored.map(({ value, modRevision }) => new Snapshot(value, modRevision, resource));
  const remote = conversion?.remote;
  if (!remote) return plain();
  const own = formatApiVersion(facts.group, facts.version);
  const versions = stored.map(({ value }) => storedApiVersion(value) ?? conversion.storedApiVersion);
  if (versions.every((version) => version === own)) return plain();
  const others = stored.flatMap((each, index) =>
    versions[index] === own ? [] : [storedObject(each, versions[index]!, resource)],
  );
  const converted = (await remote.convert(others, own)).values();
  return stored.map(({ value, modRevision }, index) => {
    if (versions[index] === own) return new Snapshot(value, modRevision, resource);
    const { object } = resource.type.read(converted.next().value as never);
    return new Snapshot(toStoredText(object as never, own), modRevision, resource, true);
  });
}

/** In the version that it was stored in, with the defaults that are set there. */
function storedObject(
  { value, modRevision }: StoredText,
  apiVersion: string,
  { facts: { group, kind }, conversion }: ServedResource,
): ApiObject {
  const { version = '' } = parseApiVersion(apiVersion) ?? {};
  const object = parseStored(value, modRevision, { group, version, kind });
  conversion?.typeOf?.(apiVersion)?.setDefaults(object);
  return object;
}

/** An object of a resource in the form that is stored. Throws the StatusErrors of another server where that one converts. */
export async function storedForm(resource: ServedResource, object: ApiObject): Promise<ApiObject> {
  const { conversion, facts } = resource;
  if (!conversion) return object;
  const { remote, storedApiVersion: wanted } = conversion;
  const apiVersion = formatApiVersion(facts.group, facts.version);
  if (!remote || apiVersion === wanted) return conversion.toStored(object);
  const [converted] = await remote.convert([{ ...object, kind: facts.kind, apiVersion }], wanted);
  return conversion.toStored(converted!);
}
