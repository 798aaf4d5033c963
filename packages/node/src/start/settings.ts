import { isAbsolute } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { unixPathBytesMax } from '@wherry/linux';
import { NodeError } from '../errors.ts';
import type { Role } from '../layout/layout.ts';
import { isRunning, type NodeRecord } from '../layout/record.ts';
import type { NodeSettings } from '../layout/settings.ts';
import { endProcess } from '../processes/end-process.ts';
import { checkGivenFlags } from '../roles/commands/given-flags.ts';
import { checkHandlers } from './check-handlers.ts';

/** The processes that each setting is for; they start anew with another one, and containers stay. */
const readers: Record<keyof NodeSettings, readonly Role[]> = {
  runtimeConfig: ['apiserver'],
  loadBalancer: ['controllers'],
  // The cluster's DNS has its domain and its resolvers from there.
  kubelet: ['kubelet', 'network'],
  runtimeHandlers: ['runtime'],
  nriSocket: ['runtime'],
  restoreCheckpointImages: ['runtime'],
  proxy: ['runtime'],
  oidc: ['apiserver'],
  apiserverFlags: ['apiserver'],
  controllersFlags: ['controllers'],
  tracing: ['apiserver', 'kubelet', 'runtime'],
};

/** Fields of a KubeletConfiguration that a node decides itself: how its parts find and trust each other. */
const ownKubeletFields = new Map([
  ['apiVersion', 'it is kubelet.config.k8s.io/v1beta1'],
  ['kind', 'it is KubeletConfiguration'],
  ['address', 'the kubelet listens at every address'],
  ['port', 'ports.kubelet says it'],
  ['tlsCertFile', "the node's own authority signs it"],
  ['tlsPrivateKeyFile', "the node's own authority signs its certificate"],
  ['authentication', 'it is by certificate and by the API server'],
  ['authorization', 'the API server is asked'],
  ['containerRuntimeEndpoint', 'it is the runtime of the node'],
  ['staticPodPath', 'it is DIR/kubelet/manifests'],
  ['podLogsDir', 'it is DIR/kubelet/pod-logs'],
  ['cgroupRoot', 'it is made from the folder of the node'],
  ['tracing', 'tracing of the node says it, for the API server and the runtime too'],
]);

/**
 * Takes other settings into the record; what is undefined stays as it was. Processes that read a changed one are ended, to be
 * started anew. Throws `NodeError` `bad-settings` for what cannot be set.
 */
export async function takeSettings(record: NodeRecord, settings: NodeSettings = {}): Promise<void> {
  refuseOwnFields(settings);
  checkHandlers(settings.runtimeHandlers);
  checkNriSocket(settings.nriSocket);
  checkGivenFlags('apiserver', settings.apiserverFlags);
  checkGivenFlags('controllers', settings.controllersFlags);
  const changed = (Object.keys(readers) as (keyof NodeSettings)[]).filter(
    (name) => settings[name] !== undefined && !isDeepStrictEqual(settings[name], record.settings?.[name]),
  );
  if (changed.length === 0) return;
  const taken = Object.fromEntries(changed.map((name) => [name, settings[name]]));
  record.settings = { ...record.settings, ...taken };
  for (const role of changed.flatMap((name) => readers[name])) {
    const identity = record.processes[role];
    if (identity && isRunning(record, role)) await endProcess(identity);
  }
}

function checkNriSocket(path: string | null | undefined): void {
  if (path == null || (isAbsolute(path) && Buffer.byteLength(path) <= unixPathBytesMax)) return;
  const want = `want an absolute path of at most ${unixPathBytesMax} bytes`;
  throw new NodeError('bad-settings', `NRI socket "${path}": ${want}`);
}

function refuseOwnFields({ kubelet = {} }: NodeSettings): void {
  for (const field of Object.keys(kubelet)) {
    const why = ownKubeletFields.get(field);
    if (why !== undefined) {
      throw new NodeError('bad-settings', `kubelet.${field} can't be set, since ${why}`);
    }
  }
}
