/** Flags of `wherry apiserver` for how it serves and what it gives out; names and defaults are kube-apiserver's. */

import { isIP } from 'node:net';
import { join } from 'node:path';
import type { ApiserverOptions } from '@wherry/apiserver';
import { tlsVersions } from '@wherry/upgrade';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { NodeError } from '../../errors.ts';
import {
  collectList,
  collectSuites,
  parseLifetimeMs,
  parseSwitch,
  parseTimeMs,
  parseWhole,
} from './flag-values.ts';

/** As commander hands them over. */
export interface ServingFlags {
  tlsCertFile?: string;
  tlsPrivateKeyFile?: string;
  certDir?: string;
  tlsMinVersion?: (typeof tlsVersions)[number];
  tlsCipherSuites?: string[];
  tlsSniCertKey?: NonNullable<ApiserverOptions['tlsSniCertKeys']>;
  permitPortSharing?: boolean;
  strictTransportSecurityDirectives?: string[];
  externalHostname?: string;
  endpointReconcilerType?: 'lease' | 'none';
  shutdownDelayDuration?: number;
  corsAllowedOrigins?: string[];
  serviceNodePortRange?: string;
  requestTimeout?: number;
  maxRequestsInflight?: number;
  maxMutatingRequestsInflight?: number;
  enablePriorityAndFairness?: boolean;
  minRequestTimeout?: number;
  eventTtl?: number;
  serviceAccountMaxTokenExpiration?: number;
  defaultNotReadyTolerationSeconds?: number;
  defaultUnreachableTolerationSeconds?: number;
}

/** `CERT,KEY` or `CERT,KEY:NAME,NAME`. */
function collectNamed(
  value: string,
  previous: NonNullable<ServingFlags['tlsSniCertKey']> = [],
): NonNullable<ServingFlags['tlsSniCertKey']> {
  const [files = '', list] = value.split(/:(.*)/s);
  const [certFile = '', keyFile = '', ...more] = files.split(',').map((word) => word.trim());
  if (certFile === '' || keyFile === '' || more.length > 0)
    throw new InvalidArgumentError('expected CERTIFICATE,KEY or CERTIFICATE,KEY:NAME,NAME');
  const names = list?.split(',').map((word) => word.trim());
  if (names?.some((name) => name === '')) throw new InvalidArgumentError('one of its names is empty');
  const address = names?.find((name) => isIP(name) !== 0);
  if (address !== undefined)
    throw new InvalidArgumentError(`"${address}" is an address, which no client says: want host names`);
  return [...previous, { certFile, keyFile, names }];
}

function collectDirectives(value: string, previous?: string[]): string[] {
  const directives = collectList(value, previous);
  const wrong = directives.find((each) => !/^(max-age=\d+|includeSubDomains|preload)$/.test(each));
  if (wrong === undefined) return directives;
  throw new InvalidArgumentError(`"${wrong}" is none of max-age=SECONDS, includeSubDomains, preload`);
}

function parseSeconds(value: string): number {
  const seconds = parseWhole(value);
  if (seconds > 0) return seconds;
  throw new InvalidArgumentError('expected a number of seconds from 1 on');
}

/** Adds them. */
export function addServingFlags(command: Command): Command {
  return command
    .option('--tls-cert-file <file>', 'serving certificate')
    .option('--tls-private-key-file <file>', 'its key')
    .option(
      '--cert-dir <dir>',
      'folder of apiserver.crt and apiserver.key, where those two flags are not given; none is made',
    )
    .addOption(
      new Option('--tls-min-version <version>', 'of TLS (default: VersionTLS12)').choices([...tlsVersions]),
    )
    .option('--tls-cipher-suites <list>', 'of TLS 1.2, by IANA’s names (default: Node’s)', collectSuites)
    .option(
      '--tls-sni-cert-key <pair>',
      'CERTIFICATE,KEY, and :NAME,NAME where not by its own names (*.example.com), for clients that say such a name; may be repeated',
      collectNamed,
    )
    .option(
      '--strict-transport-security-directives <list>',
      'what answers say in Strict-Transport-Security: max-age=SECONDS, includeSubDomains, preload (default: nothing)',
      collectDirectives,
    )
    .addOption(
      new Option(
        '--permit-port-sharing [switch]',
        'other servers may listen at the same address and port (default: false)',
      )
        .argParser(parseSwitch)
        .preset('true'),
    )
    .option(
      '--external-hostname <host>',
      'HOST or HOST:PORT where clients outside find this server, for documents that say it (default: --advertise-address)',
    )
    .addOption(
      new Option(
        '--endpoint-reconciler-type <type>',
        'who keeps the endpoints of the service `kubernetes`: lease: the servers of the store, none: nobody (default: lease)',
      ).choices(['lease', 'none']),
    )
    .option(
      '--shutdown-delay-duration <duration>',
      'so long a server that is told to end goes on, while /readyz says that it is not ready (default: 0)',
      parseLifetimeMs,
    )
    .option(
      '--cors-allowed-origins <list>',
      'origins whose pages may ask from browsers: regular expressions that say where the host begins and ends (default: none)',
      collectList,
    )
    .option('--service-node-port-range <range>', 'node ports of services (default: 30000-32767)')
    .option(
      '--request-timeout <duration>',
      'the longest that a request may take, but for watches and streams (default: 1m)',
      parseTimeMs,
    )
    .option(
      '--max-requests-inflight <n>',
      'reading requests that are served at once; the levels of priority share the sum of this and the next (default: 400)',
      parseWhole,
    )
    .option(
      '--max-mutating-requests-inflight <n>',
      'changes that are served at once (default: 200)',
      parseWhole,
    )
    .addOption(
      new Option(
        '--enable-priority-and-fairness [switch]',
        'FlowSchemas share the places; without them each of the two numbers is a bound, and nobody waits (default: true)',
      )
        .argParser(parseSwitch)
        .preset('true'),
    )
    .option(
      '--min-request-timeout <seconds>',
      'the shortest that a watch lasts whose client says no time (default: 1800)',
      parseSeconds,
    )
    .option('--event-ttl <duration>', 'how long events live (default: 1h)', parseTimeMs)
    .option(
      '--service-account-max-token-expiration <duration>',
      'the longest that service account tokens live (default: as they are asked for)',
      parseTimeMs,
    )
    .option(
      '--default-not-ready-toleration-seconds <n>',
      'how long pods stay on a node that is not ready (default: 300)',
      parseWhole,
    )
    .option(
      '--default-unreachable-toleration-seconds <n>',
      'how long pods stay on a node that can’t be reached (default: 300)',
      parseWhole,
    );
}

/** Where the serving certificate is. Throws `NodeError` `bad-settings` where no flag tells of one. */
export function certificateOptions({
  tlsCertFile,
  tlsPrivateKeyFile,
  certDir,
}: ServingFlags): Pick<ApiserverOptions, 'tlsCertFile' | 'tlsPrivateKeyFile'> {
  if (tlsCertFile !== undefined && tlsPrivateKeyFile !== undefined) return { tlsCertFile, tlsPrivateKeyFile };
  if (certDir !== undefined && tlsCertFile === tlsPrivateKeyFile)
    return { tlsCertFile: join(certDir, 'apiserver.crt'), tlsPrivateKeyFile: join(certDir, 'apiserver.key') };
  throw new NodeError(
    'bad-settings',
    'the serving certificate is given by --tls-cert-file and --tls-private-key-file together, or by --cert-dir',
  );
}

/** The options of the API server that go by other names; the others are options by their own. */
export function servingOptions(flags: ServingFlags): Partial<ApiserverOptions> {
  const { eventTtl, requestTimeout, serviceAccountMaxTokenExpiration: expiration } = flags;
  return {
    ...(flags.tlsSniCertKey && { tlsSniCertKeys: flags.tlsSniCertKey }),
    ...(flags.shutdownDelayDuration !== undefined && {
      shutdownDelayDurationMs: flags.shutdownDelayDuration,
    }),
    ...(requestTimeout !== undefined && { requestTimeoutMs: requestTimeout }),
    ...(eventTtl !== undefined && { eventTtlMs: eventTtl }),
    ...(flags.enablePriorityAndFairness === false && { priorityAndFairness: false }),
    ...(expiration !== undefined && { serviceAccountMaxTokenExpirationMs: expiration }),
  };
}
