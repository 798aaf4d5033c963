import type { PortMapping } from '@wherry/cri';

/** What a pod got from its network. */
export interface PodAddress {
  /** First address, shown as the pod's own. */
  ip: string;
  additionalIps: string[];
  /** Name of the host's end of the cable, for cleaning up. */
  hostInterface: string;
}

/** A sandbox that joins the network. */
export interface AttachRequest {
  sandboxId: string;
  portMappings: readonly PortMapping[];
}

/** What connects pods. Our own is a bridge; the seam is where another would go. */
export interface PodNetwork {
  /** Reserves what the pod needs; nothing is visible yet. */
  reserve(request: AttachRequest): PodAddress;
  /** To be called synchronously inside the pod's new network namespace: makes its interfaces. */
  connect(address: PodAddress): void;
  /** The other half, back in the machine's namespace. */
  plugIn(address: PodAddress): void;
  /** Makes host ports reachable. Throws when one is taken. */
  publish(request: AttachRequest, address: PodAddress): void;
  /** Takes everything back; repeats are harmless, also after a reboot. */
  release(request: AttachRequest, address: PodAddress): void;
  /** Why the network cannot be used, or null when it can. */
  readonly problem: string | null;
}
