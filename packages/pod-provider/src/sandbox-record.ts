import { NamespaceMode, type PodSandboxConfig, PodSandboxState, type PodSandboxStatus } from '@wherry/cri';
import { newId } from './new-id.ts';
import type { ProvidedPod } from './provider.ts';

/** One life of a pod. */
export class SandboxRecord {
  readonly pod: ProvidedPod;
  readonly createdAtNs: bigint;
  readonly runtimeHandler: string;
  addresses: readonly string[] = [];
  state: PodSandboxState = PodSandboxState.SANDBOX_NOTREADY;

  constructor(
    config: PodSandboxConfig,
    { createdAtNs, runtimeHandler }: { createdAtNs: bigint; runtimeHandler: string },
  ) {
    const { metadata, labels, annotations } = config;
    this.pod = {
      ...{ id: newId(), labels, annotations, config },
      ...{ name: metadata?.name ?? '', namespace: metadata?.namespace ?? '', uid: metadata?.uid ?? '' },
    };
    this.createdAtNs = createdAtNs;
    this.runtimeHandler = runtimeHandler;
  }

  get isReady(): boolean {
    return this.state === PodSandboxState.SANDBOX_READY;
  }

  /** Whether it is to have the node's addresses, which the kubelet knows. */
  get isOnHostNetwork(): boolean {
    return this.pod.config.linux?.securityContext?.namespaceOptions?.network === NamespaceMode.NODE;
  }

  get status(): PodSandboxStatus {
    const { id, labels, annotations, config } = this.pod;
    const [ip = '', ...others] = this.addresses;
    const asked = config.linux?.securityContext?.namespaceOptions;
    const options = {
      network: NamespaceMode.POD,
      pid: NamespaceMode.CONTAINER,
      ipc: NamespaceMode.POD,
      targetId: '',
    };
    return {
      ...{ id, metadata: config.metadata, state: this.state, createdAt: this.createdAtNs },
      network: { ip, additionalIps: others.map((other) => ({ ip: other })) },
      linux: { namespaces: { options: asked ?? options } },
      ...{ labels, annotations, runtimeHandler: this.runtimeHandler },
    };
  }
}
