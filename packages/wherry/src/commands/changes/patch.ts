import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { type DiscoveredResource, type KubeClient, type KubeObject, resourcePath } from '@wherry/client';
import { goYaml, type JsonValue, StatusError } from '@wherry/kubeapi';
import { parse } from 'yaml';
import { CommandError } from '../../errors.ts';
import { clientFor } from '../../kube/flags.ts';
import { groupVersionOf } from '../../objects/catalog.ts';
import { causePatch } from '../../objects/change-cause.ts';
import { type FoundObject, findObjects, noneNamed, type SelectFlags } from '../../objects/find-objects.ts';
import { type PatchType, patchedHere, patchTypes } from '../../objects/local-patch.ts';
import { resourceOfKind } from '../../objects/of-kind.ts';
import { type OutcomeFlags, outcomePrinter } from '../../objects/outcome.ts';
import { Failures } from '../../output/failures.ts';
import { localObjects, refuseServerDryRunLocally } from './local-objects.ts';

/** Flags of `wherry patch`. */
export interface PatchFlags extends SelectFlags, OutcomeFlags {
  patch?: string;
  patchFile?: string;
  type: string;
  /** Change what files hold, and ask no server. */
  local?: boolean;
  subresource?: string;
  fieldManager: string;
}

/** Changes fields of objects by a patch, each as the server has it. */
export async function patch(words: readonly string[], flags: PatchFlags): Promise<void> {
  const type = patchTypes.find((one) => one === flags.type.toLowerCase());
  const isGiven = (text: string | undefined) => text !== undefined && text !== '';
  if (isGiven(flags.patch) && isGiven(flags.patchFile))
    throw new CommandError('cannot specify --patch and --patch-file together');
  if (!isGiven(flags.patch) && !isGiven(flags.patchFile)) {
    throw new CommandError('must specify --patch or --patch-file containing the contents of the patch');
  }
  if (flags.local && words.length > 0) throw new CommandError('cannot specify --local and server resources');
  refuseServerDryRunLocally(flags);
  if (!type) throw new CommandError(`--type must be one of [${patchTypes.join(' ')}], not "${flags.type}"`);
  const value = readPatch(flags);
  if (flags.local && !flags.filename) throw new CommandError(noneNamed);
  const client = flags.local ? undefined : clientFor(flags);
  const failures = new Failures();
  const found = client
    ? await findObjects(client, { words, flags, failures })
    : await localObjects(flags, failures);
  const tell = outcomePrinter(flags);
  for (const one of found) {
    const patched = await failures.attempt(
      !client || flags.dryRun === 'client'
        ? patchHere(client, one, { type, value, flags })
        : patchThere(client, one, { type, value, flags }),
    );
    if (!patched) continue;
    const { before, after, recorded = after } = patched;
    const done = isDeepStrictEqual(before, after) ? 'patched (no change)' : 'patched';
    tell({ resource: kindOf(one, recorded), object: recorded, done });
  }
  failures.report();
}

/** A sub-resource may answer with an object of another kind, such as a Scale. */
const kindOf = ({ resource }: FoundObject, after: KubeObject): DiscoveredResource =>
  after.kind === undefined || after.kind === resource.kind ? resource : resourceOfKind(after);

function readPatch({ patch, patchFile }: PatchFlags): JsonValue {
  const text = patchFile ? readPatchFile(patchFile) : (patch ?? '');
  try {
    return parse(text, goYaml) as JsonValue;
  } catch (error) {
    throw new CommandError(`unable to parse ${JSON.stringify(patch ?? '')}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function readPatchFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const why = isAbsent ? `open ${path}: no such file or directory` : (error as Error).message;
    throw new CommandError(`unable to read patch file: ${why}`, { cause: error });
  }
}

interface Patched {
  before: KubeObject;
  after: KubeObject;
  /** With the command line, where that is recorded. */
  recorded?: KubeObject;
}

interface Wanted {
  type: PatchType;
  value: JsonValue;
  flags: PatchFlags;
}

/** The object, or its sub-resource, as it is before the patch. */
async function current(
  client: KubeClient | undefined,
  one: FoundObject,
  { subresource }: PatchFlags,
): Promise<KubeObject> {
  if (!client || subresource === undefined) return one.object;
  const path = resourcePath(one.resource, { ...one, subresource });
  return client.request<KubeObject>({ method: 'GET', path });
}

async function patchThere(
  client: KubeClient,
  one: FoundObject,
  { type, value, flags }: Wanted,
): Promise<Patched> {
  const { resource, name, namespace } = one;
  const before = await current(client, one, flags);
  const { subresource, fieldManager } = flags;
  try {
    const after = await client.resource<KubeObject>(resource).patch({
      ...{ type, name, namespace, patch: value, subresource, fieldManager },
      dryRun: flags.dryRun === 'server',
    });
    return { before, after, recorded: await recorded(client, one, { after, flags }) };
  } catch (error) {
    if (!(error instanceof StatusError) || error.code !== unsupportedMediaType) throw error;
    const what = `${groupVersionOf(resource)}, Kind=${resource.kind}`;
    throw new CommandError(`${contentTypes[type]} is not supported by ${what}: ${error.message}`, {
      cause: error,
    });
  }
}

/** A patch of its own, since the other may be of any form. What can't be recorded is changed all the same, as in kubectl. */
async function recorded(
  client: KubeClient,
  { resource, name, namespace }: FoundObject,
  { after, flags }: { after: KubeObject; flags: PatchFlags },
): Promise<KubeObject> {
  const patch = causePatch(after, flags);
  if (!patch) return after;
  const { subresource, fieldManager, dryRun } = flags;
  const options = { type: 'merge', name, namespace, patch, subresource, fieldManager } as const;
  const recording = client.resource<KubeObject>(resource).patch({ ...options, dryRun: dryRun === 'server' });
  return recording.catch(() => after);
}

const unsupportedMediaType = 415;
const contentTypes: Record<PatchType, string> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
};

async function patchHere(
  client: KubeClient | undefined,
  one: FoundObject,
  { type, value, flags }: Wanted,
): Promise<Patched> {
  const before = await current(client, one, flags);
  return { before, after: patchedHere(before, { type, patch: value }) };
}
