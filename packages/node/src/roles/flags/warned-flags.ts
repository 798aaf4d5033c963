/** Upstream's flags that are taken, and by which nothing comes about: the log says so. */
import type { Logger } from '@wherry/telemetry';
import { type Command, Option } from 'commander';

/** A flag with its value, and what is so instead. */
export type WarnedFlag = readonly [flag: string, reason: string];

/** Those of kube-apiserver. */
export const warnedOfApiserver: readonly WarnedFlag[] = [
  [
    '--apiserver-count <n>',
    'endpoints of the service `kubernetes` are the servers that have said lately that they are there',
  ],
  ['--watch-cache [switch]', 'reads and watches need no cache here, and are as fresh'],
  ['--enable-aggregator-routing [switch]', 'extension servers are dialled by the endpoints of their service'],
];

/** Those of both managers. */
export const warnedOfManagers: readonly WarnedFlag[] = [
  ['--kube-api-qps <n>', 'requests to the API server are not throttled'],
  ['--kube-api-burst <n>', 'requests to the API server are not throttled'],
  ['--kube-api-content-type <type>', 'requests to the API server are JSON'],
];

/** Those of kube-controller-manager alone. */
export const warnedOfControllers: readonly WarnedFlag[] = [
  [
    '--attach-detach-reconcile-sync-period <duration>',
    'volumes are attached and detached as what tells of them changes',
  ],
  ['--cluster-name <name>', 'no cloud provider asks for the name of a cluster'],
  ['--cluster-signing-legacy-unknown-cert-file <file>', 'no request that is served can name this signer'],
  ['--cluster-signing-legacy-unknown-key-file <file>', 'no request that is served can name this signer'],
  [
    '--enable-hostpath-provisioner [switch]',
    'no volumes of kubernetes.io/host-path are made; --local-path-dir has those of the class `standard`',
  ],
  ['--flex-volume-plugin-dir <dir>', 'there are no flex volumes'],
  ['--min-resync-period <duration>', 'what has not changed is not looked at again'],
];

/** Adds them to a command. */
export function addWarnedFlags(command: Command, flags: readonly WarnedFlag[]): Command {
  for (const [flag, reason] of flags) command.option(flag, `taken, and nothing comes of it: ${reason}`);
  return command;
}

/** Says which of them were given, `given` as commander hands it over. */
export function warnOfFlags(given: object, flags: readonly WarnedFlag[], logger: Logger): void {
  for (const [flag, reason] of flags) {
    const option = new Option(flag);
    if (Object.hasOwn(given, option.attributeName()))
      logger.warn('a flag has no effect', { flag: option.long, reason });
  }
}
