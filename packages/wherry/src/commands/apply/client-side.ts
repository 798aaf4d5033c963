import type { DiscoveredResource, KubeObject } from '@wherry/client';
import { goJson, hasReason, isJsonObject, type JsonValue } from '@wherry/kubeapi';
import { warnLine } from '../../kube/warnings.ts';
import { groupVersionOf } from '../../objects/catalog.ts';
import { placed } from '../../objects/given/each-manifest.ts';
import { lastAppliedAnnotation, withLastApplied } from '../../objects/manifests/last-applied.ts';
import { withPrefix, withSource } from '../../objects/manifests/with-source.ts';
import { sortedKeys } from '../../output/json.ts';
import { type Applied, type Applying, writeOptions } from './applying.ts';
import { Patching } from './patching.ts';

/** Creates an object, or patches the one that is there by what was applied last. Throws what the server refuses. */
export async function applyHere(applying: Applying): Promise<Applied> {
  const { client, one, name, flags } = applying;
  const { resource, namespace, source } = one;
  // Where a dry run of apply at the server is tried here, nothing is kept that it would not keep.
  const keepsGiven = flags.serverSide === false;
  const given = placed(one);
  let live: KubeObject;
  try {
    live = await client.resource<KubeObject>(resource).get({ name, namespace });
  } catch (error) {
    if (hasReason(error, 'NotFound')) return created(applying, keepsGiven ? withLastApplied(given) : given);
    const doing = `error when retrieving current configuration of:\n${described(applying)}\nfrom server for: `;
    throw withPrefix(error, `${doing}${JSON.stringify(source)}: `);
  }
  const isKept = live.metadata?.annotations?.[lastAppliedAnnotation] !== undefined;
  if (keepsGiven && !isKept) warnOfMissing(resource, name);
  return patched(applying, keepsGiven || isKept ? withLastApplied(given) : given, live);
}

async function created({ client, one, flags }: Applying, wanted: KubeObject): Promise<Applied> {
  const { resource, namespace, source } = one;
  const metadata = { ...wanted.metadata, resourceVersion: undefined };
  const object = withoutNulls({ ...wanted, metadata } as object as JsonValue) as object as KubeObject;
  if (flags.dryRun === 'client') return { object, outcome: 'created' };
  try {
    const options = { namespace, ...writeOptions(flags) };
    return {
      object: await client.resource<KubeObject>(resource).create(object, options),
      outcome: 'created',
    };
  } catch (error) {
    throw withSource(error, 'creating', source);
  }
}

async function patched(applying: Applying, wanted: KubeObject, live: KubeObject): Promise<Applied> {
  const { one, flags } = applying;
  const patching = new Patching({ ...applying, wanted });
  try {
    const object = flags.dryRun === 'client' ? patching.here(live) : await patching.atServer(live);
    const isSame = Object.keys(patching.patch).length === 0;
    return { object, outcome: isSame ? 'unchanged' : 'configured' };
  } catch (error) {
    const patch = goJson(sortedKeys(patching.patch));
    const where = `error when applying patch:\n${patch}\nto:\n${described(applying)}\nfor: `;
    throw withPrefix(error, `${where}${JSON.stringify(one.source)}: `);
  }
}

/** The object as kubectl names it in failures. */
function described({ one: { resource, namespace = '' }, name }: Applying): string {
  const version = resource.group === '' ? `/${resource.version}` : groupVersionOf(resource);
  const type = `Resource: "${version}, Resource=${resource.plural}", GroupVersionKind: "${version}, Kind=${resource.kind}"`;
  return `${type}\nName: ${JSON.stringify(name)}, Namespace: ${JSON.stringify(namespace)}`;
}

function warnOfMissing({ plural }: DiscoveredResource, name: string): void {
  warnLine(
    `resource ${plural}/${name} is missing the ${lastAppliedAnnotation} annotation which is required by wherry apply. wherry apply should only be used on resources created declaratively by either wherry create --save-config or wherry apply. The missing annotation will be patched automatically.`,
  );
}

/** Fields that are null are as good as not there; items of lists stay. */
function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== null && part !== undefined);
  return Object.fromEntries(entries.map(([key, part]) => [key, withoutNulls(part)]));
}
