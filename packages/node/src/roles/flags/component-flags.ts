/** Flags of `wherry controllers` and `wherry scheduler` for the pages that tell of them; names and defaults are upstream's. */
import type { tlsVersions } from '@wherry/upgrade';
import { type Command, Option } from 'commander';
import { collectList, collectSuites, parseAddress, parsePort } from './flag-values.ts';
import type { ShownFlags } from './shown-flags.ts';

/** As commander hands them over. */
export interface ComponentFlags extends ShownFlags {
  bindAddress?: string;
  securePort?: number;
  tlsCertFile?: string;
  tlsPrivateKeyFile?: string;
  certDir?: string;
  tlsMinVersion?: (typeof tlsVersions)[number];
  tlsCipherSuites?: string[];
  clientCaFile?: string;
  requestheaderClientCaFile?: string;
  requestheaderAllowedNames?: string[];
  requestheaderUsernameHeaders?: string[];
  requestheaderUidHeaders?: string[];
  requestheaderGroupHeaders?: string[];
  requestheaderExtraHeadersPrefix?: string[];
  authenticationKubeconfig?: string;
  authorizationKubeconfig?: string;
  authorizationAlwaysAllowPaths?: string[];
}

/** With the port of the scheduler beside that of the others. */
export interface ManagerComponentFlags extends ComponentFlags {
  schedulerSecurePort?: number;
}

/** Upstream's ports. */
const usualPorts = { controllers: 10_257, scheduler: 10_259 } as const;

/** Adds all of them. */
export function addManagerComponentFlags(command: Command): Command {
  return addComponentFlags(command, 'controllers').option(
    '--scheduler-secure-port <port>',
    'serves those of the scheduler; 0: nowhere (default: 0)',
    parsePort,
  );
}

/** Adds those of one manager. */
export function addComponentFlags(command: Command, manager: keyof typeof usualPorts): Command {
  command
    .option(
      '--secure-port <port>',
      'serves metrics and health over HTTPS; 0: nowhere',
      parsePort,
      usualPorts[manager],
    )
    .option('--bind-address <ip>', 'where they are served (default: 0.0.0.0)', parseAddress)
    .option('--tls-cert-file <file>', 'certificate that they are served with (default: one is made)')
    .option('--tls-private-key-file <file>', 'its key')
    .option('--cert-dir <dir>', 'folder where one is made that is not given (default: it is in memory alone)')
    .addOption(
      new Option('--tls-min-version <version>', 'of TLS (default: VersionTLS12)').choices([
        'VersionTLS12',
        'VersionTLS13',
      ]),
    )
    .option('--tls-cipher-suites <list>', 'of TLS 1.2, by IANA’s names (default: Node’s)', collectSuites)
    .option('--client-ca-file <file>', 'CA of clients that are known by certificates');
  return addAccessFlags(command);
}

function addAccessFlags(command: Command): Command {
  return command
    .option('--requestheader-client-ca-file <file>', 'CA of proxies that say who asks (default: none does)')
    .option(
      '--requestheader-allowed-names <list>',
      'common names that they may have (default: any)',
      collectList,
    )
    .option('--requestheader-username-headers <list>', 'who (default: X-Remote-User)', collectList)
    .option('--requestheader-uid-headers <list>', 'the uid (default: X-Remote-Uid)', collectList)
    .option('--requestheader-group-headers <list>', 'the groups (default: X-Remote-Group)', collectList)
    .option(
      '--requestheader-extra-headers-prefix <list>',
      'what else (default: X-Remote-Extra-)',
      collectList,
    )
    .option(
      '--authentication-kubeconfig <file>',
      'asks whom a token stands for (default: that of who is told of)',
    )
    .option('--authorization-kubeconfig <file>', 'asks what somebody may (default: the same)')
    .option(
      '--authorization-always-allow-paths <list>',
      'what anybody may ask for (default: /healthz,/readyz,/livez)',
      collectList,
    );
}
