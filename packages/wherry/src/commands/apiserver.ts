import { readFileSync } from 'node:fs';
import { type AuthorizationMode, startApiserver } from '@wherry/apiserver';
import { createKubeClient } from '@wherry/client';
import { startControllers } from '@wherry/controllers';
import type { Logger } from '@wherry/telemetry';
import { roleLogger, runUntilSignal } from './run-role.ts';

/** Flags of `wherry apiserver`, as commander hands them over. */
export interface ApiserverFlags {
  dataDir: string;
  bindAddress: string;
  securePort: number;
  advertiseAddress?: string;
  tlsCertFile: string;
  tlsPrivateKeyFile: string;
  clientCaFile: string;
  tokenAuthFile?: string;
  authorizationMode?: AuthorizationMode[];
  serviceAccountKeyFile?: string[];
  serviceAccountSigningKeyFile: string;
  serviceAccountIssuer: string;
  apiAudiences?: string[];
  kubeletCertificateAuthority?: string;
  kubeletClientCertificate?: string;
  kubeletClientKey?: string;
  kubeletPreferredAddressTypes?: string[];
  runtimeConfig?: Record<string, boolean>;
  controllersKubeconfig?: string;
  v: number;
}

/** Runs the API server until it is signalled. */
export async function apiserver(flags: ApiserverFlags): Promise<void> {
  const { v, controllersKubeconfig, serviceAccountKeyFile, ...options } = flags;
  const logger = roleLogger('apiserver', v);
  const server = await startApiserver({ ...options, serviceAccountKeyFiles: serviceAccountKeyFile, logger });
  const controllers = controllersKubeconfig
    ? startLocalControllers(controllersKubeconfig, options.clientCaFile, logger)
    : undefined;
  await runUntilSignal(logger, async () => {
    await controllers?.close();
    await server.close();
  });
}

/** The controllers go through HTTPS like any client, so that they could as well run elsewhere. */
function startLocalControllers(kubeconfig: string, caFile: string, logger: Logger) {
  const client = createKubeClient({ kubeconfig, userAgent: 'wherry-controllers' });
  const rootCaPem = readFileSync(caFile, 'utf8');
  return startControllers({ client, rootCaPem, logger });
}
