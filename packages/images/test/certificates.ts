/** Certificates for tests, made with openssl. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files of one authority and what it signed. */
export interface Certificates {
  authority: string;
  /** For 127.0.0.1, localhost and registry.test. */
  server: { certificate: string; key: string };
  client: { certificate: string; key: string };
}

function openssl(folder: string, ...options: string[]): void {
  execFileSync('openssl', options, { cwd: folder, stdio: 'pipe' });
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

function sign(folder: string, name: string, extensions: string): { certificate: string; key: string } {
  writeFileSync(join(folder, `${name}.ext`), extensions);
  openssl(folder, 'req', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
  const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2'];
  openssl(
    folder,
    'x509',
    '-req',
    '-in',
    `${name}.csr`,
    ...by,
    '-extfile',
    `${name}.ext`,
    '-out',
    `${name}.pem`,
  );
  return { certificate: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) };
}

/** Makes an authority, a server's certificate and a client's in an empty folder. */
export function makeCertificates(folder: string): Certificates {
  const self = ['-x509', '-days', '2', '-subj', '/CN=authority of a test'];
  openssl(folder, 'req', ...newKey, ...self, '-keyout', 'ca.key', '-out', 'ca.pem');
  const names = 'subjectAltName=IP:127.0.0.1,DNS:localhost,DNS:registry.test';
  return {
    authority: join(folder, 'ca.pem'),
    server: sign(folder, 'server', names),
    client: sign(folder, 'client', 'extendedKeyUsage=clientAuth'),
  };
}
