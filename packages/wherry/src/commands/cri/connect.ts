import { existsSync } from 'node:fs';
import { type CriClient, createCriClient } from '@wherry/cri';
import { defaultDataDir, layoutOf } from '@wherry/node/layout';
import { CommandError } from '../../errors.ts';

/** Flags of every `wherry cri` command. */
export interface CriFlags {
  /** Socket of any CRI runtime, as a path or `unix:///path`. */
  runtimeEndpoint?: string;
  /** Use the runtime of the node in this folder. */
  dataDir?: string;
}

const usualSockets = ['/run/containerd/containerd.sock', '/run/crio/crio.sock', '/var/run/cri-dockerd.sock'];

/** Runs `work` with a client of the runtime that the flags, the environment or the usual places name. */
export async function withRuntime(
  flags: CriFlags,
  work: (client: CriClient) => Promise<void>,
): Promise<void> {
  const client = createCriClient(endpointOf(flags));
  try {
    await work(client);
  } finally {
    client.close();
  }
}

function endpointOf({ runtimeEndpoint, dataDir }: CriFlags): string {
  const named = runtimeEndpoint ?? process.env['CONTAINER_RUNTIME_ENDPOINT'];
  if (named) return named;
  if (dataDir !== undefined) return layoutOf(dataDir).criSocket;
  const found = [layoutOf(defaultDataDir).criSocket, ...usualSockets].find((path) => existsSync(path));
  if (found) return found;
  throw new CommandError('no CRI socket in the usual places; name one with --runtime-endpoint');
}
