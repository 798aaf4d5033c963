import { readFile } from 'node:fs/promises';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { ImageError, messageOf } from '../errors.ts';
import type { HostTls } from '../hosts/registry-host.ts';

/** The machine's authorities (as Go programs use them) beside Node's own. */
let machineAuthorities: string[] | undefined;
const trusted = () =>
  (machineAuthorities ??= [...new Set([...getCACertificates('system'), ...getCACertificates('default')])]);

/** The PEM texts of a host's TLS. */
export interface TlsMaterial {
  authorities: string[];
  pairs: { certificate: string; key: string }[];
}

async function readPem(path: string, what: string, mark: RegExp): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error) => {
    throw new ImageError('INVALID_ARGUMENT', `${what} "${path}" cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  });
  if (mark.test(text)) return text;
  throw new ImageError('INVALID_ARGUMENT', `${what} "${path}" is no PEM file of one`);
}

/** Reads the files of a host's TLS. Throws `ImageError` INVALID_ARGUMENT with the file's name. */
export async function readMaterial({ authorities, certificates }: HostTls): Promise<TlsMaterial> {
  return {
    authorities: await Promise.all(
      authorities.map((path) => readPem(path, 'authority of a registry', /-----BEGIN CERTIFICATE-----/)),
    ),
    pairs: await Promise.all(
      certificates.map(async ({ certificate, key }) => ({
        certificate: await readPem(certificate, 'client certificate', /-----BEGIN CERTIFICATE-----/),
        key: await readPem(key, 'key of a client certificate', /-----BEGIN [A-Z ]*PRIVATE KEY-----/),
      })),
    ),
  };
}

/** Without certificates of its own, one context serves every host. */
let plain: SecureContext | undefined;

/**
 * What OpenSSL needs for connections. Who verifies nothing needs no authorities, which take their time to be read.
 * Throws `ImageError` INVALID_ARGUMENT for material that does not fit together.
 */
export function contextOf({ authorities, pairs }: TlsMaterial, skipsVerification: boolean): SecureContext {
  const certificates = {
    cert: pairs.map(({ certificate }) => certificate),
    key: pairs.map(({ key }) => key),
  };
  try {
    if (skipsVerification) return createSecureContext(certificates);
    if (authorities.length + pairs.length > 0)
      return createSecureContext({ ...certificates, ca: [...trusted(), ...authorities] });
    plain ??= createSecureContext({ ca: trusted() });
    return plain;
  } catch (error) {
    throw new ImageError('INVALID_ARGUMENT', `TLS of a registry: ${messageOf(error)}`, { cause: error });
  }
}
