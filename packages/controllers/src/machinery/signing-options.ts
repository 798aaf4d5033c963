/** A certificate authority's files, PEM. They are read anew for each signature. */
export interface AuthorityFiles {
  certFile: string;
  keyFile: string;
}

/** Who signs what, and for how long at most. */
export interface SigningOptions {
  /** By signer, such as `kubernetes.io/kubelet-serving`. One without files signs nothing: others may. */
  authorities: Readonly<Record<string, AuthorityFiles>>;
  /** Upstream's --cluster-signing-duration; default a year. */
  lifetimeMs?: number | undefined;
}
