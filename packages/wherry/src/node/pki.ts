import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../limits.ts';

/** Which certificates a node has, and what each vouches for. */
export interface CertificatePlan {
  file: string;
  commonName: string;
  organization?: string;
  usage: 'server' | 'client';
  dnsNames?: string[];
  ipAddresses?: string[];
}

/** Paths of a node's keys and certificates, all PEM. */
export interface Pki {
  caCert: string;
  caKey: string;
  serviceAccountKey: string;
  serviceAccountPublicKey: string;
  certificate(file: CertificateFile): { cert: string; key: string };
}

/** Names of the leaf certificates inside the pki folder. */
export type CertificateFile =
  | 'apiserver'
  | 'apiserver-kubelet-client'
  | 'kubelet'
  | 'kubelet-client'
  | 'controllers'
  | 'admin';

/** What the certificates depend on. */
export interface PkiOptions {
  pkiDir: string;
  nodeName: string;
  nodeIp: string;
  /** Further addresses that the API server is reached by, e.g. the bridge's. */
  apiAddresses: string[];
}

/** Names and groups as upstream's authorizers know them (reserved `system:` names). */
function planCertificates({ nodeName, nodeIp, apiAddresses }: PkiOptions): CertificatePlan[] {
  const serviceNames = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];
  return [
    {
      file: 'apiserver',
      commonName: 'kube-apiserver',
      usage: 'server',
      dnsNames: ['localhost', nodeName, ...serviceNames, 'kubernetes.default.svc.cluster.local'],
      ipAddresses: [...new Set(['127.0.0.1', '::1', nodeIp, ...apiAddresses])],
    },
    {
      file: 'kubelet',
      commonName: `system:node:${nodeName}`,
      organization: 'system:nodes',
      usage: 'server',
      dnsNames: ['localhost', nodeName],
      ipAddresses: [...new Set(['127.0.0.1', nodeIp])],
    },
    {
      file: 'apiserver-kubelet-client',
      commonName: 'kube-apiserver-kubelet-client',
      organization: 'system:masters',
      usage: 'client',
    },
    {
      file: 'kubelet-client',
      commonName: `system:node:${nodeName}`,
      organization: 'system:nodes',
      usage: 'client',
    },
    {
      file: 'controllers',
      commonName: 'system:kube-controller-manager',
      organization: 'system:masters',
      usage: 'client',
    },
    { file: 'admin', commonName: 'wherry-admin', organization: 'system:masters', usage: 'client' },
  ];
}

/** Where the files of a node's PKI are; touches nothing. */
export function pkiPaths(pkiDir: string): Pki {
  const at = (name: string) => join(pkiDir, name);
  return {
    caCert: at('ca.crt'),
    caKey: at('ca.key'),
    serviceAccountKey: at('service-account.key'),
    serviceAccountPublicKey: at('service-account.pub'),
    certificate: (file) => ({ cert: at(`${file}.crt`), key: at(`${file}.key`) }),
  };
}

/**
 * Makes what is missing, about to expire, or issued for other names or addresses; the rest stays as it is.
 * Returns the number of certificates issued.
 */
export async function ensurePki(options: PkiOptions): Promise<number> {
  const paths = pkiPaths(options.pkiDir);
  mkdirSync(options.pkiDir, { recursive: true, mode: 0o700 });
  const hasAuthority = existsSync(paths.caCert) && existsSync(paths.serviceAccountKey);
  const stale = planCertificates(options).filter((plan) => !hasAuthority || !isCurrent(options.pkiDir, plan));
  if (stale.length === 0) return 0;
  // The certificate library is loaded only when there is something to issue: it costs 75 ms.
  const { createAuthority, issueCertificates } = await import('./certificates.ts');
  if (!hasAuthority) await createAuthority(paths);
  await issueCertificates(options.pkiDir, stale);
  return stale.length;
}

function isCurrent(pkiDir: string, plan: CertificatePlan): boolean {
  try {
    const certificate = new X509Certificate(readFileSync(join(pkiDir, `${plan.file}.crt`)));
    const lastsLongEnough = Date.parse(certificate.validTo) - Date.now() > limits.certificateRenewBeforeMs;
    const coversHosts = (plan.dnsNames ?? []).every((name) => certificate.checkHost(name) !== undefined);
    const coversAddresses = (plan.ipAddresses ?? []).every((ip) => certificate.checkIP(ip) !== undefined);
    const isSubject = certificate.subject.includes(`CN=${plan.commonName}`);
    return lastsLongEnough && coversHosts && coversAddresses && isSubject;
  } catch {
    return false;
  }
}
