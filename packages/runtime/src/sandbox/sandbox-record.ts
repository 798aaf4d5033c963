import { decodeMessage, encodeMessage, type PodSandboxConfig } from '@wherry/cri';
import type { PodAddress } from '../network/pod-network.ts';

/** The kinds of namespaces that a sandbox pins. */
export type SandboxNamespace = 'net' | 'ipc' | 'uts' | 'user';

/** A pod sandbox as it is kept: what a restarted runtime needs to go on as if nothing had happened. */
export interface Sandbox {
  id: string;
  config: PodSandboxConfig;
  runtimeHandler: string;
  createdAtNs: bigint;
  ready: boolean;
  /** The boot in which its namespaces exist; after another boot they are gone. */
  bootId: string;
  /** Pins by kind; a kind that the host shares is absent. */
  namespaces: Partial<Record<SandboxNamespace, string>>;
  address: PodAddress | null;
  /** Its addresses before it was stopped, for NRI plug-ins that hear of its removal; nobody keeps them for it. */
  lastIps?: string[];
  /** Container that holds the pod's shared process namespace, when it has one. */
  holderPid: number | null;
}

interface SandboxOnDisk extends Omit<Sandbox, 'config' | 'createdAtNs'> {
  config: string;
  createdAtNs: string;
}

/** The record as one line of JSON; the configuration goes as CRI's own protobuf, so that it comes back identical. */
export function encodeSandbox({ config, createdAtNs, ...rest }: Sandbox): string {
  const onDisk: SandboxOnDisk = {
    ...rest,
    config: Buffer.from(encodeMessage('PodSandboxConfig', config)).toString('base64'),
    createdAtNs: createdAtNs.toString(),
  };
  return JSON.stringify(onDisk);
}

/** Reads a record back. Throws on anything that {@link encodeSandbox} did not write. */
export function decodeSandbox(text: string): Sandbox {
  const { config, createdAtNs, ...rest } = JSON.parse(text) as SandboxOnDisk;
  return {
    ...rest,
    config: decodeMessage('PodSandboxConfig', Buffer.from(config, 'base64')) as unknown as PodSandboxConfig,
    createdAtNs: BigInt(createdAtNs),
  };
}
