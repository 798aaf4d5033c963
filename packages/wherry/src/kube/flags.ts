import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createKubeClient, type KubeClient, kubeconfigPaths, type StreamTransport } from '@wherry/client';
import { defaultDataDir } from '../cli/options.ts';

/** kubectl's flags about which cluster, as whom, and where. */
export interface KubeFlags {
  kubeconfig?: string;
  context?: string;
  cluster?: string;
  user?: string;
  server?: string;
  token?: string;
  namespace?: string;
  /** Use the node in this folder. */
  dataDir?: string;
}

/** The flags above and the transport of a streaming command. */
export interface StreamFlags extends KubeFlags {
  transport: StreamTransport;
}

/** A client as the flags say; without any, as kubectl would, and last the node of this machine. */
export function clientFor(flags: KubeFlags): KubeClient {
  const { context, cluster, user, server, token } = flags;
  const kubeconfig = flags.kubeconfig ?? nodeKubeconfig(flags.dataDir);
  return createKubeClient({ kubeconfig, context, cluster, user, server, token });
}

function nodeKubeconfig(dataDir: string | undefined): string | undefined {
  if (dataDir !== undefined) return join(dataDir, 'kubeconfig');
  if (kubeconfigPaths().some(existsSync)) return undefined;
  const local = join(defaultDataDir, 'kubeconfig');
  return existsSync(local) ? local : undefined;
}
