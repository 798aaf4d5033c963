import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { KubeconfigCluster, KubeconfigUser } from '../config/kubeconfig.ts';
import { systemMessage } from '../config/system-message.ts';
import { ClientError } from '../errors.ts';
import type { TlsMaterial } from '../transport/cluster-access.ts';

/** Who is asked, as whom. */
export interface TlsParties {
  cluster: KubeconfigCluster;
  user: KubeconfigUser;
  /** For messages. */
  userName: string;
}

/** Reads what TLS needs. Throws `ClientError` `bad-config` for a file that can't be read and for what is not PEM. */
export const tlsMaterial = (parties: TlsParties): TlsMaterial => readTlsMaterial(parties, readPem);

/** The files that hold what TLS needs. Inline data goes before a file. */
export function tlsPaths(cluster: KubeconfigCluster, user: KubeconfigUser): string[] {
  const named = [
    [cluster['certificate-authority-data'], cluster['certificate-authority']],
    [user['client-certificate-data'], user['client-certificate']],
    [user['client-key-data'], user['client-key']],
  ];
  return named.flatMap(([data, path]) => (!data && path ? [path] : []));
}

/** What TLS needs, with files as `read` gives them. Throws `ClientError` `bad-config` for what is not PEM. */
export function readTlsMaterial(
  { cluster, user, userName }: TlsParties,
  read: (path: string) => Buffer | undefined,
): TlsMaterial {
  const material = (data: string | undefined, path: string | undefined) =>
    data ? Buffer.from(data, 'base64') : path ? read(path) : undefined;
  const cert = material(user['client-certificate-data'], user['client-certificate']);
  const key = material(user['client-key-data'], user['client-key']);
  if (cert && key) checkPair(cert, key, userName);
  return {
    ca: certificateAuthority(
      material(cluster['certificate-authority-data'], cluster['certificate-authority']),
    ),
    ...(cert && key ? { cert, key } : {}),
    rejectUnauthorized: cluster['insecure-skip-tls-verify'] !== true,
    servername: cluster['tls-server-name'],
  };
}

function certificateAuthority(pem: Buffer | undefined): Buffer | undefined {
  if (!pem || /-----BEGIN (TRUSTED )?CERTIFICATE-----/.test(pem.toString('latin1'))) return pem;
  throw new ClientError('bad-config', 'unable to load root certificates: unable to parse bytes as PEM block');
}

/** A wrong pair would come out only in the handshake, as a riddle. */
function checkPair(cert: Buffer, key: Buffer, userName: string): void {
  let fits: boolean;
  try {
    fits = new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch (error) {
    throw new ClientError(
      'bad-config',
      `tls: the client certificate or key of user "${userName}" can't be read: ${(error as Error).message}`,
      { cause: error },
    );
  }
  if (fits) return;
  throw new ClientError('bad-config', `tls: private key does not match public key of user "${userName}"`);
}

function readPem(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new ClientError('bad-config', `open ${path}: ${systemMessage(error)}`, { cause: error });
  }
}
