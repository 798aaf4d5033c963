import { kustomizeVersion } from '@wherry/kustomize';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';
import { printValue } from '../../output/listing.ts';
import { isValueFormat, type OutputFormat } from '../../output/output-format.ts';
import { readVersion } from '../../version.ts';

/** Flags of `wherry version`. */
export interface VersionFlags extends KubeFlags {
  /** Nothing of the server. */
  client?: boolean;
  output?: OutputFormat;
}

/**
 * Prints the versions of this program, of the kustomize whose ways it has, and of the server. A server that does not answer is a
 * failure, after what is known without it.
 */
export async function version(flags: VersionFlags): Promise<void> {
  const own = { clientVersion: { gitVersion: `v${readVersion()}` }, kustomizeVersion };
  const { output } = flags;
  if (!isValueFormat(output))
    console.log(`Client Version: ${own.clientVersion.gitVersion}\nKustomize Version: ${kustomizeVersion}`);
  if (flags.client) {
    if (isValueFormat(output)) printValue(own, output);
    return;
  }
  const request = { method: 'GET', path: '/version' };
  const serverVersion = await clientFor(flags).request<{ gitVersion: string }>(request);
  if (isValueFormat(output)) printValue({ ...own, serverVersion }, output);
  else console.log(`Server Version: ${serverVersion.gitVersion}`);
}
