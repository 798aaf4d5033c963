import { join } from 'node:path';
import type { ApiserverOptions } from '@wherry/apiserver';
import { type Credentials, signingKey, TestAuthority, writeFiles } from './pki.ts';

/** Options of a server that has its store in a folder, and knows users by their certificates. */
export type FolderOptions = ApiserverOptions & { dataDir: string; clientCaFile: string };

/** What a server of a test needs before it starts. */
export interface PreparedServer {
  authority: TestAuthority;
  admin: Credentials;
  /** A free port of loopback, and keys of an authority of its own; all of it goes through JSON. */
  options: FolderOptions;
}

/** Makes an authority, and writes what it certified into a folder. */
export async function prepareServer(folder: string): Promise<PreparedServer> {
  const authority = await TestAuthority.create('test-ca');
  const serving = await authority.issue({
    name: 'apiserver',
    hosts: ['127.0.0.1', '127.0.0.2', 'localhost'],
  });
  const admin = await authority.issue({ name: 'admin', groups: ['system:masters'] });
  const kubeletClient = await authority.issue({
    name: 'apiserver-kubelet-client',
    groups: ['system:masters'],
  });
  const files = writeFiles(folder, {
    'ca.crt': authority.cert,
    'serving.crt': serving.cert,
    'serving.key': serving.key,
    'service-account.key': signingKey(),
    'kubelet-client.crt': kubeletClient.cert,
    'kubelet-client.key': kubeletClient.key,
  });
  const options: FolderOptions = {
    dataDir: join(folder, 'data'),
    bindAddress: '127.0.0.1',
    securePort: 0,
    tlsCertFile: files['serving.crt'],
    tlsPrivateKeyFile: files['serving.key'],
    clientCaFile: files['ca.crt'],
    serviceAccountSigningKeyFile: files['service-account.key'],
    kubeletCertificateAuthority: files['ca.crt'],
    kubeletClientCertificate: files['kubelet-client.crt'],
    kubeletClientKey: files['kubelet-client.key'],
    // Where the tests' kubelet listens is a loopback address.
    localNodes: ['worker'],
  };
  return { authority, admin, options };
}
