import { type KubeClient, kinds } from '@wherry/client';
import { type Clock, sleep } from '@wherry/clock';
import { type CertificateSigningRequest, hasReason, type KeyUsage } from '@wherry/kubeapi';
import { certificatePollMs, certificateWaitMs } from '../limits.ts';
import { keyDigest } from './key.ts';

/** What a kubelet needs certificates for. */
export type CertificateUse = 'client' | 'serving';

const terms: Readonly<Record<CertificateUse, { signerName: string; usages: KeyUsage[] }>> = {
  client: {
    signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
    usages: ['digital signature', 'client auth'],
  },
  serving: { signerName: 'kubernetes.io/kubelet-serving', usages: ['digital signature', 'server auth'] },
};

/** Whom a certificate is for. */
export interface CertificateSubject {
  use: CertificateUse;
  nodeName: string;
  /** Names and addresses that the kubelet is reached by; none for clients. */
  hosts: readonly string[];
}

/**
 * Asks the API server for a certificate of this key, and waits until somebody has approved and signed it; PEM. The same key
 * asks once, however often it is called. Throws when it is denied, failed, or nobody answered in time.
 */
export async function askForCertificate(
  key: string,
  { use, nodeName, hosts }: CertificateSubject,
  { client, clock, signal }: { client: KubeClient; clock: Clock; signal: AbortSignal },
): Promise<string> {
  const name = `node-csr-${keyDigest(key)}`;
  const requests = client.resource(kinds.certificateSigningRequests);
  const { createRequest } = await import('./node-request.ts');
  const request = Buffer.from(await createRequest(key, nodeName, hosts)).toString('base64');
  try {
    const identity = { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest' };
    await requests.create({ ...identity, metadata: { name }, spec: { request, ...terms[use] } }, { signal });
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
  }
  const untilMs = clock.monotonicMs() + certificateWaitMs;
  while (clock.monotonicMs() < untilMs) {
    const certificate = answerOf(await requests.get({ name, signal }));
    if (certificate !== undefined) return certificate;
    await sleep({ clock, delayMs: certificatePollMs, signal });
  }
  throw new Error(
    `certificate request "${name}" was not approved and signed in time; kubectl certificate approve ${name}`,
  );
}

/** The certificate; undefined as long as there is no answer. */
function answerOf({ metadata, status }: CertificateSigningRequest): string | undefined {
  const { conditions = [], certificate } = status ?? {};
  const refusal = conditions.find(({ type }) => type === 'Denied' || type === 'Failed');
  if (refusal) {
    const why = `${refusal.reason ?? ''}: ${refusal.message ?? ''}`;
    throw new Error(`certificate request "${metadata.name}" was ${refusal.type.toLowerCase()}: ${why}`);
  }
  return certificate ? Buffer.from(certificate, 'base64').toString('latin1') : undefined;
}
