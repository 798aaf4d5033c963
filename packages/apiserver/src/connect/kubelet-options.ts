/** How kubelets are reached; names follow kube-apiserver's flags. */
export interface KubeletOptions {
  /** PEM; without it the kubelets' serving certificates are not verified, as upstream. */
  kubeletCertificateAuthority?: string | undefined;
  /** PEM of the certificate and key that kubelets know this server by. */
  kubeletClientCertificate?: string | undefined;
  kubeletClientKey?: string | undefined;
  /** Default: InternalIP, ExternalIP, InternalDNS, ExternalDNS, Hostname. */
  kubeletPreferredAddressTypes?: readonly string[] | undefined;
  /** The nodes that run on this machine: their kubelets alone may be at a loopback address. Default none. */
  localNodes?: readonly string[] | undefined;
  /** For nodes that do not tell their kubelet's port. Default 10250. */
  kubeletPort?: number | undefined;
}
