import { readFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { keepFile } from '../layout/full-disk.ts';
import type { CertificateFile, Pki } from './pki.ts';

/** What a kubeconfig of this node says. */
export interface KubeconfigFileOptions {
  path: string;
  apiUrl: string;
  pki: Pki;
  user: CertificateFile;
  /** Name of cluster, user and context. */
  name: string;
}

/** Writes a kubeconfig that carries its certificates inside, readable by its owner only. */
export function writeKubeconfig({ path, apiUrl, pki, user, name }: KubeconfigFileOptions): void {
  const base64 = (file: string) => readFileSync(file).toString('base64');
  const { cert, key } = pki.certificate(user);
  const document = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster: { server: apiUrl, 'certificate-authority-data': base64(pki.caCert) } }],
    users: [{ name, user: { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
  };
  keepFile(path, stringify(document), { isSettledLater: true });
}
