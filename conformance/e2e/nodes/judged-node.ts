/** A cluster that the suite is run against. */
export interface JudgedNode {
  /** Of an administrator. */
  kubeconfig: string;
  /** Folder of the kubelet, of the first where there are several. */
  kubeletRoot: string;
  /** Ends what was started, removes what it left, and leaves what each process said in `logs` of the run's folder. */
  close(): Promise<void>;
}

/** Where a cluster for the suite is made, and of what. */
export interface JudgedNodeOptions {
  /** Folder of this run. */
  folder: string;
  /** Folder that says where registries are mirrored, as containerd has it. */
  registryConfig: string;
}
