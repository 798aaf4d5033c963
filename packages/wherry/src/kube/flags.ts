import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  createKubeClient,
  inClusterAccess,
  type KubeClient,
  kubeconfigPaths,
  type PluginPolicy,
  type StreamTransport,
} from '@wherry/client';
import { defaultDataDir } from '@wherry/node/layout';
import { requestPrinter } from './request-printer.ts';
import { userExtra } from './user-extra.ts';
import { warningPrinter } from './warnings.ts';

/** kubectl's flags about which cluster, as whom, and where. */
export interface KubeFlags {
  kubeconfig?: string;
  context?: string;
  cluster?: string;
  server?: string;
  certificateAuthority?: string;
  tlsServerName?: string;
  insecureSkipTlsVerify?: boolean;
  disableCompression?: boolean;
  /** A warning of the server ends the command with 1. */
  warningsAsErrors?: boolean;
  /** Milliseconds; 0 for any. */
  requestTimeout?: number;
  namespace?: string;
  user?: string;
  token?: string;
  username?: string;
  password?: string;
  clientCertificate?: string;
  clientKey?: string;
  as?: string;
  asGroup?: string[];
  asUid?: string;
  /** `KEY=VALUE`. */
  asUserExtra?: string[];
  /** Use the node in this folder. */
  dataDir?: string;
  /** Which credential plugins the user's preferences let run. */
  pluginPolicy?: PluginPolicy;
  /** How much is said. */
  v?: number;
  /** Files of objects, where a command has such; `-` for standard input. */
  filename?: readonly string[] | undefined;
  /** Standard input is read for something else. */
  stdinInUse?: boolean;
}

/** The flags above and the transport of a streaming command. */
export interface StreamFlags extends KubeFlags {
  transport: StreamTransport;
}

/** As kubectl calls whatever reads it. */
const readerOfStdin = 'used by stdin resource manifest reader';

/** A client as the flags say; without any, as kubectl would, and last the node of this machine. */
export function clientFor(flags: KubeFlags): KubeClient {
  const { as, asGroup, asUid, asUserExtra = [], requestTimeout } = flags;
  return createKubeClient({
    kubeconfig: flags.kubeconfig ?? nodeKubeconfig(flags),
    context: flags.context,
    cluster: flags.cluster,
    server: flags.server,
    certificateAuthority: flags.certificateAuthority,
    tlsServerName: flags.tlsServerName,
    insecureSkipTlsVerify: flags.insecureSkipTlsVerify,
    disableCompression: flags.disableCompression,
    user: flags.user,
    token: flags.token,
    username: flags.username,
    password: flags.password,
    clientCertificate: flags.clientCertificate,
    clientKey: flags.clientKey,
    impersonate: { user: as, uid: asUid, groups: asGroup, extra: userExtra(asUserExtra) },
    pluginPolicy: flags.pluginPolicy,
    stdinInUse: flags.stdinInUse || flags.filename?.includes('-') ? readerOfStdin : undefined,
    requestTimeoutMs: requestTimeout,
    onSend: requestPrinter(flags.v ?? 0),
    onWarning: warningPrinter({ areErrors: flags.warningsAsErrors === true }),
  });
}

/** The kubeconfig of the node of this machine, which is meant when nothing else is: no kubeconfig, no server, not inside of a pod. */
export function nodeKubeconfig({ dataDir, server }: KubeFlags): string | undefined {
  if (dataDir !== undefined) return join(dataDir, 'kubeconfig');
  if (server !== undefined || inClusterAccess() || kubeconfigPaths().some(existsSync)) return undefined;
  const local = join(defaultDataDir, 'kubeconfig');
  return existsSync(local) ? local : undefined;
}
