import { readFileSync } from 'node:fs';
import { type Apiserver, type AuthorizationMode, startApiserver } from '@wherry/apiserver';
import { createKubeClient } from '@wherry/client';
import { startControllers } from '@wherry/controllers';
import type { Logger } from '@wherry/telemetry';
import { roleLogger, runUntilSignal } from './run-role.ts';

/** EX_IOERR of sysexits.h. */
const storeFailureExitCode = 74;

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
  serviceAccountExtendTokenExpiration?: boolean;
  apiAudiences?: string[];
  kubeletCertificateAuthority?: string;
  kubeletClientCertificate?: string;
  kubeletClientKey?: string;
  kubeletPreferredAddressTypes?: string[];
  localNode?: string;
  enableAdmissionPlugins?: string[];
  disableAdmissionPlugins?: string[];
  admissionControlConfigFile?: string;
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
  void server.failed.then((error) => endFailed(error, { server, logger }));
  await runUntilSignal(logger, async () => {
    await controllers?.close();
    await server.close();
  });
}

/** Nothing more can be stored: the process ends, so that whoever started it sees it and starts it anew. */
async function endFailed(
  error: Error,
  { server, logger }: { server: Apiserver; logger: Logger },
): Promise<void> {
  await server.close();
  logger.error('ended, since nothing more can be stored', { error, exitCode: storeFailureExitCode });
  process.exit(storeFailureExitCode);
}

/** The controllers go through HTTPS like any client, so that they could as well run elsewhere. */
function startLocalControllers(kubeconfig: string, caFile: string, logger: Logger) {
  const client = createKubeClient({ kubeconfig, userAgent: 'wherry-controllers' });
  const rootCaPem = readFileSync(caFile, 'utf8');
  return startControllers({ client, rootCaPem, logger });
}
