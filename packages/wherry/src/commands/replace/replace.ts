import type { DiscoveredResource, KubeClient, KubeObject } from '@wherry/client';
import { StatusError } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor } from '../../kube/flags.ts';
import { sendFile } from '../../kube/raw.ts';
import { Catalog } from '../../objects/catalog.ts';
import { refuseWords } from '../../objects/find-objects.ts';
import { readManifests } from '../../objects/manifests/manifests.ts';
import { withSource } from '../../objects/manifests/with-source.ts';
import { resourceOfKind } from '../../objects/of-kind.ts';
import { outcomePrinter } from '../../objects/outcome.ts';
import { Failures } from '../../output/failures.ts';
import type { ReplaceFlags } from './flags.ts';
import { replaceByForce } from './replace-by-force.ts';
import { type Replacement, replacementOf } from './replacement.ts';

/** Puts the objects of files in the place of those that are there. One that fails keeps none of the others. */
export async function replace(words: readonly string[], flags: ReplaceFlags): Promise<void> {
  refuseContradictions(flags);
  refuseWords(words);
  if (flags.raw !== undefined) return sendFile('PUT', flags.raw, flags);
  const failures = new Failures();
  const manifests = await readManifests(flags.filename, { isRecursive: flags.recursive === true, failures });
  const client = clientFor(flags);
  const place = { client, catalog: await Catalog.of(client), flags };
  if (flags.force) {
    await replaceByForce(manifests, place);
    return failures.report();
  }
  const tell = outcomePrinter(flags);
  for (const manifest of manifests) {
    await failures.attempt(
      (async () => {
        const one = replacementOf(manifest, place);
        const object = flags.dryRun === 'client' ? one.object : await replaceOne(client, one, flags);
        tell({ resource: kindOf(one, object), object, done: 'replaced' });
      })(),
    );
  }
  failures.report();
}

function refuseContradictions({ force, gracePeriod, timeout, dryRun }: ReplaceFlags): void {
  if (gracePeriod >= 0 && !force) throw new CommandError('--grace-period must have --force specified');
  if (timeout !== 0 && !force) throw new CommandError('--timeout must have --force specified');
  if (force && dryRun !== 'none') throw new CommandError('--dry-run can not be used when --force is set');
}

async function replaceOne(
  client: KubeClient,
  one: Replacement,
  { fieldManager, subresource, dryRun, validate }: ReplaceFlags,
): Promise<KubeObject> {
  const { resource, namespace, source } = one;
  const options = { namespace, subresource, fieldManager, fieldValidation: validate };
  try {
    const object = await versioned(client, one, subresource);
    return await client
      .resource<KubeObject>(resource)
      .update(object, { ...options, dryRun: dryRun === 'server' });
  } catch (error) {
    throw withSource(error, 'replacing', source);
  }
}

/** An object without a version takes the place of any; of one that is not there the write itself tells. */
async function versioned(
  client: KubeClient,
  { resource, name, namespace, object }: Replacement,
  subresource: string | undefined,
): Promise<KubeObject> {
  if (object.metadata?.resourceVersion) return object;
  try {
    const { metadata } = await client.resource<KubeObject>(resource).get({
      ...{ name, namespace },
      ...(subresource === undefined ? {} : { subresource }),
    });
    return { ...object, metadata: { ...object.metadata, resourceVersion: metadata?.resourceVersion } };
  } catch (error) {
    if (error instanceof StatusError) return object;
    throw error;
  }
}

/** A sub-resource may answer with an object of another kind, such as a Scale. */
const kindOf = ({ resource }: Replacement, after: KubeObject): DiscoveredResource =>
  after.kind === undefined || after.kind === resource.kind ? resource : resourceOfKind(after);
