import { kustomizeVersion } from '@wherry/kustomize';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';
import { printValue } from '../../output/listing.ts';
import { isValueFormat, type OutputFormat, type ValueFormat } from '../../output/output-format.ts';
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
  const own = { clientVersion: clientVersion(), kustomizeVersion };
  const { output } = flags;
  if (!isValueFormat(output))
    console.log(`Client Version: ${own.clientVersion.gitVersion}\nKustomize Version: ${kustomizeVersion}`);
  if (flags.client) {
    if (isValueFormat(output)) printVersions(own, output);
    return;
  }
  const request = { method: 'GET', path: '/version' };
  const serverVersion = await clientFor(flags).request<{ gitVersion: string }>(request);
  if (isValueFormat(output)) printVersions({ ...own, serverVersion }, output);
  else console.log(`Server Version: ${serverVersion.gitVersion}`);
}

/** With all fields that a server tells of itself, since tools read them. */
function clientVersion() {
  const version = readVersion();
  const [major = '', minor = ''] = version.split('.');
  return {
    ...{ major, minor, gitVersion: `v${version}`, gitCommit: '', gitTreeState: 'clean' },
    ...{ buildDate: '1970-01-01T00:00:00Z', goVersion: '', compiler: 'node' },
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  };
}

/** As kubectl prints them, which is otherwise than it prints objects. */
function printVersions(versions: object, output: ValueFormat): void {
  if (output === 'json') console.log(JSON.stringify(versions, undefined, 2));
  else printValue(versions, output);
  if (output === 'yaml') console.log();
}
