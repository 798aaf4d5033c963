import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { systemClock } from '@wherry/clock';
import { limits } from '../limits.ts';
import {
  type Authority,
  type CertificateFile,
  type CertificatePlan,
  type Pki,
  type PkiOptions,
  pkiPaths,
  planCertificates,
} from './pki.ts';

/**
 * Makes what is missing, about to expire, or issued for other names, by another authority or to another user; the rest
 * stays as it is. Returns what was issued: whoever runs with its predecessor has to start anew.
 */
export async function ensurePki(options: PkiOptions): Promise<CertificateFile[]> {
  const { pkiDir, authorityDir } = options;
  const paths = pkiPaths(pkiDir, authorityDir);
  mkdirSync(pkiDir, { recursive: true, mode: 0o700 });
  const isMissing = (name: Authority) => !existsSync(paths.authority(name).cert);
  const absent = authorities.filter(isMissing);
  const lacksAccountKey = !existsSync(paths.serviceAccountKey);
  const wanted = planCertificates(options).filter(({ file }) => options.files?.includes(file) ?? true);
  const stale = wanted.filter((plan) => absent.includes(plan.authority) || !isCurrent(paths, plan));
  if (stale.length === 0 && absent.length === 0 && !lacksAccountKey) return [];
  // The certificate library is loaded only when there is something to issue: it costs 75 ms.
  const { createAuthority, createAccountKey, issueCertificates } = await import('./certificates.ts');
  if (lacksAccountKey) await createAccountKey(paths);
  for (const name of absent) await createAuthority(paths.authority(name), `wherry-${name}`);
  await issueCertificates(paths, stale);
  return stale.map(({ file }) => file);
}

const authorities: readonly Authority[] = ['ca', 'kubelet-ca', 'front-proxy-ca'];

function isCurrent(paths: Pki, plan: CertificatePlan): boolean {
  try {
    const certificate = new X509Certificate(readFileSync(paths.certificate(plan.file).cert));
    const authority = new X509Certificate(readFileSync(paths.authority(plan.authority).cert));
    const lastsLongEnough =
      Date.parse(certificate.validTo) - systemClock.nowMs() > limits.certificateRenewBeforeMs;
    const coversHosts = (plan.dnsNames ?? []).every((name) => certificate.checkHost(name) !== undefined);
    const coversAddresses = (plan.ipAddresses ?? []).every((ip) => certificate.checkIP(ip) !== undefined);
    const organization = plan.organization ? `O=${plan.organization}\n` : '';
    const isSubject = certificate.subject === `${organization}CN=${plan.commonName}`;
    const isIssued = certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
    return lastsLongEnough && coversHosts && coversAddresses && isSubject && isIssued;
  } catch {
    return false;
  }
}
