import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { KubeconfigCluster, KubeconfigUser } from '../config/kubeconfig.ts';
import { systemMessage } from '../config/system-message.ts';
import { ClientError } from '../errors.ts';
import type { TlsMaterial } from '../transport/cluster-access.ts';

/** Reads what TLS needs. Throws `ClientError` `bad-config` for a file that can't be read and for what is not PEM. */
export function tlsMaterial(cluster: KubeconfigCluster, user: KubeconfigUser, userName: string): TlsMaterial {
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

function material(data: string | undefined, path: string | undefined): Buffer | undefined {
  if (data) return Buffer.from(data, 'base64');
  if (!path) return undefined;
  try {
    return readFileSync(path);
  } catch (error) {
    throw new ClientError('bad-config', `open ${path}: ${systemMessage(error)}`, { cause: error });
  }
}
