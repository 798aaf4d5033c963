import type { PodSandboxConfig } from '@wherry/cri';

/** What a pod got from its network. */
export interface PodAddress {
  /** First address, shown as the pod's own. */
  ip: string;
  additionalIps: string[];
  /** Name of the host's end of the built-in network's cable, for cleaning up; '' with CNI, whose plug-ins know it. */
  hostInterface: string;
  /** The CNI network that it is on; absent for the built-in one. */
  cniNetwork?: string;
}

/** A sandbox that joined the network, or was about to. */
export interface ReleaseRequest {
  sandboxId: string;
}

/** A sandbox that joins the network. */
export interface AttachRequest extends ReleaseRequest {
  config: PodSandboxConfig;
}

/** What a pod of an earlier run has. */
export interface HeldAddress {
  request: AttachRequest;
  address: PodAddress;
  /** Whether the pod still runs: else it only keeps its address until it is stopped. */
  ready: boolean;
}

/** What connects pods: the built-in bridge, or CNI plug-ins. */
export interface PodNetwork {
  /** Why the network cannot be used, or null when it can. */
  readonly problem: string | null;
  /** Begins, and takes over what `held` says pods have. */
  open(held: () => readonly HeldAddress[]): Promise<void>;
  /** Takes the range of addresses that a kubelet names. */
  adoptRange(text: string): Promise<void>;
  /** What the pod is to have, where that is known before its namespace exists; nothing is visible yet. */
  reserve(request: AttachRequest): PodAddress | null;
  /** To be called synchronously inside the pod's new network namespace. */
  connect(reserved: PodAddress | null): void;
  /** Connects the pinned namespace. A failure may leave something, which {@link release} takes away. */
  attach(request: AttachRequest, reserved: PodAddress | null): Promise<PodAddress>;
  /** Takes everything back; repeats are harmless, also after a reboot and for sandboxes that nobody knows. */
  release(request: ReleaseRequest, address: PodAddress | null): Promise<void>;
  /** What is wrong with a pod's network, as found when the runtime started. */
  complaintOf(sandboxId: string): string | undefined;
  /** Facts for `Status` with verbose, as JSON texts or plain ones. */
  info(): Record<string, string>;
  /** Lets go; what pods have stays. */
  close(): Promise<void>;
}
