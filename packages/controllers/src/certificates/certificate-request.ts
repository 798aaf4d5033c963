import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { cryptoProvider, Pkcs10CertificateRequest, SubjectAlternativeNameExtension } from '@peculiar/x509';
import { requestedCertificate } from '@wherry/kubeapi/objects';
import type { RequestedNames } from './signers.ts';

cryptoProvider.set(webcrypto);

/** A request whose sender has shown that it holds the key. */
export interface CertificateRequest {
  names: RequestedNames;
  pkcs10: Pkcs10CertificateRequest;
}

/** Reads the PEM of an API object's `spec.request`. Throws on what is none, or is not signed by its own key. */
export async function readCertificateRequest(base64: string): Promise<CertificateRequest> {
  const requested = requestedCertificate(base64);
  if (!requested) throw new Error('PEM block type must be CERTIFICATE REQUEST');
  const pkcs10 = new Pkcs10CertificateRequest(requested.der);
  if (!(await pkcs10.verify())) throw new Error('unable to verify certificate request signature');
  return { names: namesOf(pkcs10), pkcs10 };
}

function namesOf(pkcs10: Pkcs10CertificateRequest): RequestedNames {
  const extensions = pkcs10.extensions.filter((each) => each instanceof SubjectAlternativeNameExtension);
  const alternatives = extensions.flatMap(({ names }) => names.items);
  const named = (wanted: string) =>
    alternatives.filter(({ type }) => type === wanted).map(({ value }) => value);
  return {
    commonName: pkcs10.subjectName.getField('CN').at(-1) ?? '',
    organizations: pkcs10.subjectName.getField('O'),
    dnsNames: named('dns'),
    ipAddresses: named('ip'),
    emailAddresses: named('email'),
    uris: named('url'),
  };
}
