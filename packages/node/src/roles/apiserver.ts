import {
  type Apiserver,
  type ApiserverOptions,
  type AuthorizationMode,
  startApiserver,
} from '@wherry/apiserver';
import { systemClock } from '@wherry/clock';
import { processGauges } from '@wherry/linux';
import { type Logger, MetricsRegistry } from '@wherry/telemetry';
import { roleTracer } from '../machine/tracing-file.ts';
import { type AccessFlags, accessOptions } from './flags/access-flags.ts';
import { type AuditFlags, auditOptions } from './flags/audit-flags.ts';
import { type EtcdFlags, etcdOptions } from './flags/etcd-flags.ts';
import { checkGates, type GateFlags } from './flags/gate-flags.ts';
import { type OidcFlags, oidcOptions } from './flags/oidc-flags.ts';
import { certificateOptions, type ServingFlags, servingOptions } from './flags/serving-flags.ts';
import type { ShownFlags } from './flags/shown-flags.ts';
import { warnedOfApiserver, warnOfFlags } from './flags/warned-flags.ts';
import { placeOptions } from './place-options.ts';
import { roleLogger, runUntilSignal, type Verbosity } from './run-role.ts';

/** EX_IOERR of sysexits.h. */
const storeFailureExitCode = 74;

/** Flags of `wherry apiserver`, as commander hands them over. */
export interface ApiserverFlags
  extends AccessFlags,
    AuditFlags,
    EtcdFlags,
    GateFlags,
    OidcFlags,
    ServingFlags,
    ShownFlags {
  dataDir?: string;
  bindAddress: string;
  securePort: number;
  advertiseAddress?: string;
  http2MaxStreamsPerConnection?: number;
  disableHttp2Serving?: boolean;
  goawayChance?: number;
  egressSelectorConfigFile?: string;
  encryptionProviderConfig?: string;
  encryptionProviderConfigAutomaticReload?: boolean;
  clientCaFile?: string;
  tokenAuthFile?: string;
  enableBootstrapTokenAuth?: boolean;
  authorizationMode?: AuthorizationMode[];
  serviceAccountKeyFile?: string[];
  serviceAccountSigningKeyFile: string;
  serviceAccountIssuer?: string[];
  serviceAccountJwksUri?: string;
  serviceAccountExtendTokenExpiration?: boolean;
  apiAudiences?: string[];
  kubeletCertificateAuthority?: string;
  kubeletClientCertificate?: string;
  kubeletClientKey?: string;
  proxyClientCertFile?: string;
  proxyClientKeyFile?: string;
  requestheaderClientCaFile?: string;
  requestheaderAllowedNames?: string[];
  requestheaderUsernameHeaders?: string[];
  requestheaderGroupHeaders?: string[];
  requestheaderUidHeaders?: string[];
  requestheaderExtraHeadersPrefix?: string[];
  kubeletPreferredAddressTypes?: string[];
  localNode?: string[];
  enableAdmissionPlugins?: string[];
  disableAdmissionPlugins?: string[];
  admissionControlConfigFile?: string;
  tracingConfigFile?: string;
  runtimeConfig?: Readonly<Record<string, boolean>>;
  serviceClusterIpRange?: string;
}

/** Starts the API server that the flags tell of. */
export async function startApiserverFrom(
  { serviceAccountKeyFile, localNode, featureGates, ...options }: ApiserverFlags,
  more: Partial<ApiserverOptions>,
): Promise<Apiserver> {
  await checkGates({ featureGates });
  return startApiserver({
    ...options,
    ...certificateOptions(options),
    ...accessOptions(options),
    ...auditOptions(options),
    ...etcdOptions(options),
    ...oidcOptions(options),
    ...servingOptions(options),
    serviceAccountKeyFiles: serviceAccountKeyFile,
    localNodes: localNode,
    ...more,
  });
}

/** Runs the API server until it is signalled. */
export async function apiserver({ v, ...flags }: ApiserverFlags & Verbosity): Promise<void> {
  const logger = roleLogger('apiserver', v);
  warnOfFlags(flags, warnedOfApiserver, logger);
  const tracer = await roleTracer(flags.tracingConfigFile, { service: 'apiserver', logger });
  const metrics = new MetricsRegistry();
  processGauges(metrics, systemClock.nowMs());
  const place = await placeOptions(flags);
  const server = await startApiserverFrom(flags, { ...place, logger, tracer, metrics });
  void server.failed.then((error) => endFailed(error, { server, logger }));
  await runUntilSignal(logger, () => server.close());
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
