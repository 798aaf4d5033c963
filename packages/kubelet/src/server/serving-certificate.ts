import { ownPair, readPair, type ServingPair } from '../certificates/serving-pair.ts';
import type { Ground } from '../ground/ground.ts';

/** The configured pair; without one, a self-signed pair that is made once and kept in the certificate folder. */
export function servingCertificate({
  configuration,
  certDir,
  clock,
  addresses,
  nodeName,
}: Ground): Promise<ServingPair> {
  const { tlsCertFile, tlsPrivateKeyFile } = configuration;
  if (tlsCertFile) return readPair(tlsCertFile, tlsPrivateKeyFile);
  const names = [nodeName, ...addresses.ips, '127.0.0.1', 'localhost'];
  return ownPair({ folder: certDir, name: 'kubelet', commonName: nodeName }, names, clock.nowMs());
}
