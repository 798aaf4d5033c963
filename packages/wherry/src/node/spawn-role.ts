import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { identifyProcess, type ProcessIdentity } from '@wherry/linux';
import { CommandError } from '../errors.ts';
import { controllersFiles, kubeletFiles } from './configure.ts';
import type { NodeLayout, Role } from './layout.ts';
import { pkiPaths } from './pki.ts';
import type { NodeRecord } from './record.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

/** Addresses of services. Nothing routes to them yet, so the runtime refuses pods the whole range. */
const serviceRange = '10.96.0.0/16';

/**
 * How V8 collects garbage, in MiB. The young generation grows to the first only under load. Read buffers lie outside
 * the heap: the second makes V8 collect the young after four times as many MiB of them, and the third leaves room for
 * them below the mark at which it collects the whole heap. Left to its defaults it does that every 10 to 50 MiB of a
 * stream, which can cost as much as the stream.
 */
const nodeFlags = [
  '--max-semi-space-size=16',
  '--scavenger-max-new-space-capacity-mb=4',
  '--initial-old-space-size=48',
];

/** The command line of each process, exactly as a user could type it. */
export function roleArguments(role: Role, layout: NodeLayout, record: NodeRecord): string[] {
  const flags = flagsOf[role](layout, record);
  return [role, ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`)];
}

const flagsOf: Record<Role, (layout: NodeLayout, record: NodeRecord) => Record<string, string | number>> = {
  monitor: (layout) => ({ 'data-dir': layout.roleDir('monitor'), address: layout.monitorSocket }),
  runtime: (layout, record) => ({
    'data-dir': layout.roleDir('runtime'),
    address: layout.criSocket,
    'monitor-address': layout.monitorSocket,
    'image-address': layout.imageSocket,
    bridge: record.bridgeName,
    'pod-cidr': record.podCidr,
    'blocked-cidr': serviceRange,
    'cgroup-root': record.cgroupRoot,
  }),
  apiserver: (layout, record) => {
    const pki = pkiPaths(layout.pkiDir);
    const serving = pki.certificate('apiserver');
    const toKubelet = pki.certificate('apiserver-kubelet-client');
    return {
      'data-dir': layout.roleDir('apiserver'),
      'bind-address': '0.0.0.0',
      'secure-port': record.apiPort,
      'advertise-address': record.nodeIp,
      'service-cluster-ip-range': serviceRange,
      'tls-cert-file': serving.cert,
      'tls-private-key-file': serving.key,
      'client-ca-file': pki.caCert,
      'service-account-key-file': pki.serviceAccountPublicKey,
      'service-account-signing-key-file': pki.serviceAccountKey,
      'service-account-issuer': 'https://kubernetes.default.svc.cluster.local',
      'kubelet-certificate-authority': pki.kubeletCaCert,
      'kubelet-client-certificate': toKubelet.cert,
      'kubelet-client-key': toKubelet.key,
      'local-node': record.name,
    };
  },
  controllers: (layout) => {
    const { kubeconfig, schedulerKubeconfig } = controllersFiles(layout);
    const rootCaFile = pkiPaths(layout.pkiDir).caCert;
    return { kubeconfig, 'scheduler-kubeconfig': schedulerKubeconfig, 'root-ca-file': rootCaFile };
  },
  kubelet: (layout, record) => {
    const files = kubeletFiles(layout);
    return {
      config: files.configuration,
      kubeconfig: files.kubeconfig,
      'root-dir': layout.roleDir('kubelet'),
      'hostname-override': record.name,
      'node-ip': record.nodeIp,
    };
  },
};

/**
 * Starts a process of the node in a session of its own, its output appended to `DIR/logs/ROLE.log`, so that it
 * outlives this command and its terminal.
 */
export function spawnRole(role: Role, layout: NodeLayout, record: NodeRecord): ProcessIdentity {
  const log = openSync(layout.logFile(role), 'a', 0o600);
  try {
    const child = spawn(process.execPath, [...nodeFlags, main, ...roleArguments(role, layout, record)], {
      cwd: '/',
      detached: true,
      stdio: ['ignore', log, log],
    });
    child.unref();
    const identity = child.pid === undefined ? null : identifyProcess(child.pid);
    if (!identity) throw new CommandError(`starting ${role} failed; see "${layout.logFile(role)}"`);
    return identity;
  } finally {
    closeSync(log);
  }
}
