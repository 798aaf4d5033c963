import { ClientError, discoverResources, type KubeClient } from '@wherry/client';
import { StatusError } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';

/** Prints the group versions that the server has, in the order of their letters. */
export async function apiVersions(flags: KubeFlags): Promise<void> {
  const client = clientFor(flags);
  for (const groupVersion of (await served(client)).toSorted()) console.log(groupVersion);
}

async function served(client: KubeClient): Promise<readonly string[]> {
  try {
    return (await discoverResources(client)).groupVersions;
  } catch (error) {
    if (!(error instanceof StatusError || error instanceof ClientError)) throw error;
    throw new CommandError(`couldn't get available api versions from server: ${error.message}`, {
      cause: error,
    });
  }
}
