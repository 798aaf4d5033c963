/** Switches of upstream's programs that can only be one way here. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseSwitch } from './flag-values.ts';

/** A switch, what it is, and why it is not the other. */
export type SettledFlag = readonly [flag: string, value: boolean, reason: string];

const noGo: readonly SettledFlag[] = [
  ['--contention-profiling', false, 'there is no Go runtime to profile here'],
];

/** Adds them: another value than theirs is refused with the reason. */
export function addSettledFlags(command: Command, flags: readonly SettledFlag[]): Command {
  for (const [flag, value, reason] of [...flags, ...noGo])
    command.addOption(
      new Option(`${flag} [switch]`, `${value} alone: ${reason}`)
        .argParser(only(value, reason))
        .preset('true'),
    );
  return command;
}

function only(wanted: boolean, reason: string) {
  return (value: string): boolean => {
    if (parseSwitch(value) === wanted) return wanted;
    throw new InvalidArgumentError(reason);
  };
}

/** Those of both managers. */
export const settledOfManagers: readonly SettledFlag[] = [
  ['--profiling', false, 'there are no profiles here; /debug/pprof is the kubelet’s'],
  [
    '--authentication-skip-lookup',
    true,
    'who may be believed is said by --client-ca-file; no ConfigMap of the cluster is asked',
  ],
  [
    '--authentication-tolerate-lookup-failure',
    true,
    'who may be believed is said by --client-ca-file; no ConfigMap of the cluster is asked',
  ],
  ['--disable-http2-serving', true, 'what tells of it is served by HTTP/1.1'],
  [
    '--permit-address-sharing',
    true,
    'SO_REUSEADDR is always set: a port is free as soon as nobody listens there',
  ],
];

/** Those of kube-controller-manager alone. */
export const settledOfControllers: readonly SettledFlag[] = [
  ['--configure-cloud-routes', false, 'there are no cloud providers'],
  ['--disable-attach-detach-reconcile-sync', false, 'volumes are attached as what tells of them changes'],
  ['--enable-leader-migration', false, 'there are no controllers of clouds to hand over'],
  ['--enable-garbage-collector', true, '--controllers=-garbage-collector-controller leaves it out'],
  ['--enable-dynamic-provisioning', true, 'a class says who makes its volumes'],
];
