/** Flags of `wherry controllers` and `wherry scheduler` for the pages that tell of them; names are kube-controller-manager's. */
import type { Command } from 'commander';
import { collectList, parsePort } from './flag-values.ts';
import type { ShownFlags } from './shown-flags.ts';

/** As commander hands them over. */
export interface ComponentFlags extends ShownFlags {
  bindAddress?: string;
  securePort?: number;
  tlsCertFile?: string;
  tlsPrivateKeyFile?: string;
  clientCaFile?: string;
  authenticationKubeconfig?: string;
  authorizationKubeconfig?: string;
  authorizationAlwaysAllowPaths?: string[];
}

/** With the port of the scheduler beside that of the others. */
export interface ManagerComponentFlags extends ComponentFlags {
  schedulerSecurePort?: number;
}

/** Adds all of them. */
export function addManagerComponentFlags(command: Command): Command {
  return addComponentFlags(command).option(
    '--scheduler-secure-port <port>',
    'serves those of the scheduler; 0: nowhere (default: 0)',
    parsePort,
  );
}

/** Adds those of one manager. */
export function addComponentFlags(command: Command): Command {
  return command
    .option(
      '--secure-port <port>',
      'serves metrics and health over HTTPS; 0: nowhere (default: 0)',
      parsePort,
    )
    .option('--bind-address <ip>', 'where they are served (default: 0.0.0.0)')
    .option('--tls-cert-file <file>', 'certificate that they are served with')
    .option('--tls-private-key-file <file>', 'its key')
    .option('--client-ca-file <file>', 'CA of clients that are known by certificates')
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
