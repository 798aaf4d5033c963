import { X509Certificate } from 'node:crypto';
import {
  ClientError,
  type ClusterAccess,
  type Credentials,
  type Exchange,
  KubeClient,
  loadClusterAccess,
  type ReadAnswer,
  type SentRequest,
} from '@wherry/client';
import type { Clock } from '@wherry/clock';
import { type Logger, type MetricsRegistry, unattended } from '@wherry/telemetry';
import { clientPairName } from './bootstrap.ts';
import { type Pair, PairStore } from './pair-store.ts';
import { CertificateRotation } from './rotation.ts';
import { RotationFigures } from './rotation-figures.ts';

/** What a kubelet that has no certificate yet goes by. */
export interface Joining {
  /** Where the server is, without anybody's credentials. */
  access: ClusterAccess;
  /** Resolves when a certificate is in `certDir`, and rejects when the kubelet ends before. */
  joined: Promise<void>;
}

/** A kubelet's client of the API server, with the certificate that it has now. */
export interface RotatingClient {
  client: KubeClient;
  /** Ends the rotation, not the client. */
  close(): void;
}

/**
 * Opens a client by a kubeconfig whose certificate is replaced in `certDir` before it ends. One that is `joining` has none yet, and
 * its requests fail until it has joined.
 */
export async function openRotatingClient(options: {
  kubeconfig: string;
  joining?: Joining | undefined;
  certDir: string;
  nodeName: string;
  clock: Clock;
  logger: Logger;
  metrics: MetricsRegistry;
  onExchange(exchange: Exchange): void;
  onRead(answer: ReadAnswer): void;
  onSend?: ((sent: { method: string }) => SentRequest) | undefined;
}): Promise<RotatingClient> {
  const { kubeconfig, certDir, nodeName, clock, logger, metrics, onExchange, onRead, onSend } = options;
  const store = new PairStore(certDir, clientPairName);
  const { joining } = options;
  const { tls, tlsFiles: _, ...access } = joining?.access ?? loadClusterAccess({ kubeconfig });
  let shown: Credentials | undefined;
  const client = new KubeClient({
    access: {
      ...access,
      tls: { ...tls, cert: undefined, key: undefined },
      credentials: {
        current: async () => {
          if (shown) return shown;
          throw new ClientError('no-credentials', 'this kubelet has no certificate yet');
        },
        replace: async (refused) => refused.certificate !== shown?.certificate,
      },
    },
    userAgent: 'kubelet',
    onExchange,
    onRead,
    onSend,
  });
  const rotation = new CertificateRotation({
    ...{ store, client, clock, logger, figures: new RotationFigures('client', metrics, clock) },
    subject: () => ({ use: 'client', nodeName, hosts: [] }),
    onRotated: (certificate) => {
      shown = { certificate };
    },
  });
  const begin = async (given: Pair | undefined) => {
    const first = await firstPair(store, given, { clock, logger });
    shown = { certificate: first };
    void rotation.run(first);
  };
  if (joining) {
    const begun = joining.joined.then(
      () => begin(undefined),
      () => {},
    );
    unattended(begun, { logger, task: 'joining' });
  } else
    await begin(
      tls.cert && tls.key && { cert: tls.cert.toString('latin1'), key: tls.key.toString('latin1') },
    );
  return { client, close: () => rotation.close() };
}

/**
 * The stored pair as long as it holds, else the kubeconfig's, which is stored then: kubeadm looks for it there, and has the
 * kubeconfig name the file that rotation writes.
 */
async function firstPair(
  store: PairStore,
  given: Pair | undefined,
  { clock, logger }: { clock: Clock; logger: Logger },
): Promise<Pair | undefined> {
  const stored = await store.read();
  if (!given) return stored;
  const before = stored && new X509Certificate(stored.cert);
  const isSame = before?.fingerprint256 === new X509Certificate(given.cert).fingerprint256;
  if (before && (isSame || before.validToDate.getTime() > clock.nowMs())) return stored;
  await store
    .write(given, clock.nowMs())
    .catch((error) => logger.warn("the kubeconfig's certificate could not be stored", { error }));
  return given;
}
