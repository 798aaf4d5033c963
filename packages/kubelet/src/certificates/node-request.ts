/** Loaded when a certificate is asked for: its libraries take 3 MiB and a tenth of a second. */
import 'reflect-metadata';
import { createPrivateKey, createPublicKey, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import {
  cryptoProvider,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
} from '@peculiar/x509';

cryptoProvider.set(webcrypto);

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** PEM of a request to be called `system:node:NODE`, in the group of nodes, and by these host names and addresses. */
export async function createRequest(
  keyPem: string,
  nodeName: string,
  hosts: readonly string[],
): Promise<string> {
  const { subtle } = webcrypto;
  const key = createPrivateKey(keyPem);
  const privateDer = key.export({ type: 'pkcs8', format: 'der' });
  const publicDer = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const keys = {
    privateKey: await subtle.importKey('pkcs8', privateDer, algorithm, false, ['sign']),
    publicKey: await subtle.importKey('spki', publicDer, algorithm, true, ['verify']),
  };
  const names = hosts.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value }));
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: [{ O: ['system:nodes'] }, { CN: [`system:node:${nodeName}`] }],
    keys,
    signingAlgorithm: algorithm,
    extensions: names.length > 0 ? [new SubjectAlternativeNameExtension(names)] : [],
  });
  return `${request.toString('pem').trimEnd()}\n`;
}
