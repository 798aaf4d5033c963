import 'reflect-metadata';
import { Pkcs10CertificateRequest, SubjectAlternativeNameExtension } from '@peculiar/x509';

/** What a certificate is asked for: values of the subject by their attribute's type, and further names. */
export interface RequestedSubject {
  /** By an attribute's type, such as `2.5.4.3`. */
  attribute(type: string): readonly string[];
  dnsNames: readonly string[];
  emailAddresses: readonly string[];
  uris: readonly string[];
  ipAddresses: readonly string[];
}

/** Reads a request's PEM (RFC 2986). Throws with what is wrong. */
export function readRequest(pem: string): RequestedSubject {
  if (!/-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----/.test(pem))
    throw new Error('PEM block type must be CERTIFICATE REQUEST');
  const { subjectName, extensions } = new Pkcs10CertificateRequest(pem);
  const alternatives = extensions
    .filter((each) => each instanceof SubjectAlternativeNameExtension)
    .flatMap(({ names }) => names.items);
  const named = (wanted: string) =>
    alternatives.filter(({ type }) => type === wanted).map(({ value }) => value);
  return {
    attribute: (type) => subjectName.getField(type),
    ...{ dnsNames: named('dns'), emailAddresses: named('email'), uris: named('url') },
    ipAddresses: named('ip'),
  };
}
