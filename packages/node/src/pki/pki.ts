import { join } from 'node:path';

/**
 * Who signs what. Clients of the API and its serving certificate have one authority; the kubelet's serving certificate
 * and the one by which the API server is known to kubelets have another, which the API server accepts no client of: a
 * kubelet's certificate, or the API server's own, sent back to it by a false node, opens nothing.
 */
export type Authority = 'ca' | 'kubelet-ca' | 'front-proxy-ca';

/** Which certificates a node has, and what each vouches for. */
export interface CertificatePlan {
  file: CertificateFile;
  authority: Authority;
  commonName: string;
  organization?: string;
  usage: 'server' | 'client';
  dnsNames?: string[];
  ipAddresses?: string[];
}

/** Paths of a node's keys and certificates, all PEM. */
export interface Pki {
  /** Of clients of the API, and of its serving certificate. */
  caCert: string;
  /** Of the kubelet's serving certificate, and of its clients. */
  kubeletCaCert: string;
  /** Of the certificate that extension servers know the API server by. */
  frontProxyCaCert: string;
  authority(name: Authority): { cert: string; key: string };
  serviceAccountKey: string;
  serviceAccountPublicKey: string;
  certificate(file: CertificateFile): { cert: string; key: string };
}

/** Names of the leaf certificates inside the pki folder. */
export type CertificateFile =
  | 'apiserver'
  | 'apiserver-kubelet-client'
  | 'front-proxy-client'
  | 'kubelet'
  | 'kubelet-client'
  | 'controller-manager'
  | 'scheduler'
  | 'network'
  | 'admin';

/** What the certificates depend on. */
export interface PkiOptions {
  pkiDir: string;
  /** Where the authorities are. Default: in the same folder. */
  authorityDir?: string | undefined;
  nodeName: string;
  nodeIp: string;
  /** Further addresses that the API server is reached by, e.g. the bridge's. */
  apiAddresses: string[];
  /** Which certificates are wanted. Default: all. */
  files?: readonly CertificateFile[] | undefined;
}

/** The certificates of a node: names and groups as upstream's authorizers know them (reserved `system:` names). */
export function planCertificates({ nodeName, nodeIp, apiAddresses }: PkiOptions): CertificatePlan[] {
  const serviceNames = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];
  return [
    {
      file: 'apiserver',
      authority: 'ca',
      commonName: 'kube-apiserver',
      usage: 'server',
      dnsNames: ['localhost', nodeName, ...serviceNames, 'kubernetes.default.svc.cluster.local'],
      ipAddresses: [...new Set(['127.0.0.1', '::1', nodeIp, ...apiAddresses])],
    },
    {
      file: 'kubelet',
      authority: 'kubelet-ca',
      commonName: `system:node:${nodeName}`,
      organization: 'system:nodes',
      usage: 'server',
      dnsNames: ['localhost', nodeName],
      ipAddresses: [...new Set(['127.0.0.1', nodeIp])],
    },
    {
      file: 'apiserver-kubelet-client',
      authority: 'kubelet-ca',
      commonName: 'kube-apiserver-kubelet-client',
      usage: 'client',
    },
    {
      file: 'front-proxy-client',
      authority: 'front-proxy-ca',
      commonName: 'front-proxy-client',
      usage: 'client',
    },
    {
      file: 'kubelet-client',
      authority: 'ca',
      commonName: `system:node:${nodeName}`,
      organization: 'system:nodes',
      usage: 'client',
    },
    {
      file: 'controller-manager',
      authority: 'ca',
      commonName: 'system:kube-controller-manager',
      usage: 'client',
    },
    {
      file: 'scheduler',
      authority: 'ca',
      commonName: 'system:kube-scheduler',
      usage: 'client',
    },
    {
      file: 'network',
      authority: 'ca',
      commonName: 'system:kube-proxy',
      usage: 'client',
    },
    {
      file: 'admin',
      authority: 'ca',
      commonName: 'wherry-admin',
      organization: 'system:masters',
      usage: 'client',
    },
  ];
}

/** Where the files of a node's PKI are, its authorities and what belongs to the cluster apart; touches nothing. */
export function pkiPaths(pkiDir: string, authorityDir = pkiDir): Pki {
  const at = (name: string) => join(authorityDir, name);
  return {
    caCert: at('ca.crt'),
    kubeletCaCert: at('kubelet-ca.crt'),
    frontProxyCaCert: at('front-proxy-ca.crt'),
    authority: (name) => ({ cert: at(`${name}.crt`), key: at(`${name}.key`) }),
    serviceAccountKey: at('service-account.key'),
    serviceAccountPublicKey: at('service-account.pub'),
    certificate: (file) => ({ cert: join(pkiDir, `${file}.crt`), key: join(pkiDir, `${file}.key`) }),
  };
}
