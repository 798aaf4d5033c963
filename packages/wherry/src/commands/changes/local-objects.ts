import type { KubeObject } from '@wherry/client';
import { CommandError } from '../../errors.ts';
import { type FoundManifest, readManifests } from '../../objects/manifests/manifests.ts';
import { refuseOtherNamespace } from '../../objects/namespace-of.ts';
import { resourceOfKind } from '../../objects/of-kind.ts';
import type { DryRun } from '../../objects/outcome.ts';
import type { NamedObject } from '../../objects/targets.ts';
import type { Failures } from '../../output/failures.ts';

/** Which files are read. */
export interface LocalFlags {
  filename?: readonly string[];
  recursive?: boolean;
  namespace?: string;
}

/**
 * The objects of files as they stand there, or as `read` takes them, for what is done without a server. What is no object is told to
 * `failures` beside those that are some. Throws `CommandError`.
 */
export async function localObjects(
  flags: LocalFlags,
  failures: Failures,
  read: (manifest: FoundManifest) => KubeObject = ({ object }) => object as KubeObject,
): Promise<(NamedObject & { object: KubeObject })[]> {
  const { filename = [], recursive, namespace } = flags;
  const manifests = await readManifests(filename, { isRecursive: recursive === true, failures });
  for (const manifest of manifests) refuseOtherNamespace(manifest, flags);
  return manifests.map(read).map((object) => ({
    resource: resourceOfKind(object),
    name: object.metadata?.name ?? '',
    namespace: object.metadata?.namespace ?? namespace,
    object,
  }));
}

/** Throws `CommandError` for a server's dry run without a server. */
export function refuseServerDryRunLocally({ local, dryRun }: { local?: boolean; dryRun?: DryRun }): void {
  if (local && dryRun === 'server')
    throw new CommandError('cannot specify --local and --dry-run=server - did you mean --dry-run=client?');
}
