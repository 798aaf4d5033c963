import { kinds } from '@wherry/client';
import { type CertificateSigningRequest, hasReason, ownValue } from '@wherry/kubeapi/objects';
import { limits } from '../limits.ts';
import { defineController } from '../machinery/run-controller.ts';
import type { AuthorityFiles } from '../machinery/signing-options.ts';
import { hasCondition, withCondition } from './request-state.ts';
import { isSignerName, refusalOf } from './signers.ts';

const watches = { requests: { type: kinds.certificateSigningRequests } };

/** Issues what was approved, and fails what its signer does not sign. */
export const signingController = defineController({
  name: 'certificatesigningrequest-signing-controller',
  account: 'certificate-controller',
  watches,
  writes: ['certificatesigningrequests/status', 'signers'],
  build: ({ cluster, informers }) => {
    const { authorities, lifetimeMs = limits.certificateLifetimeMs } = cluster.signing;
    const authorityOf = ({ spec }: CertificateSigningRequest) =>
      isSignerName(spec.signerName) ? ownValue(authorities, spec.signerName) : undefined;
    const isDue = (request: CertificateSigningRequest) =>
      authorityOf(request) !== undefined &&
      hasCondition(request, 'Approved') &&
      !hasCondition(request, 'Failed') &&
      !request.status?.certificate;
    return {
      keysOf: { requests: (request) => (isDue(request) ? [request.metadata.name ?? ''] : []) },
      async reconcile(name, signal) {
        const request = informers.requests.objects.get(name);
        const authority = request && authorityOf(request);
        if (!request || !authority || !isDue(request)) return;
        const nowMs = cluster.clock.nowMs();
        const answered = await answerTo(request, authority, { lifetimeMs, nowMs });
        try {
          const resource = cluster.client.resource(kinds.certificateSigningRequests);
          await resource.update(answered, { subresource: 'status', signal });
        } catch (error) {
          if (!hasReason(error, 'NotFound')) throw error;
        }
      },
    };
  },
});

async function answerTo(
  request: CertificateSigningRequest,
  authority: AuthorityFiles,
  { lifetimeMs, nowMs }: { lifetimeMs: number; nowMs: number },
): Promise<CertificateSigningRequest> {
  // The certificate library is loaded only when there is something to sign: it costs 75 ms and 10 MB.
  const [{ readCertificateRequest }, { issueCertificate }] = await Promise.all([
    import('./certificate-request.ts'),
    import('./issue-certificate.ts'),
  ]);
  const { signerName, usages = [], expirationSeconds } = request.spec;
  const asked = await readCertificateRequest(request.spec.request);
  const refusal = isSignerName(signerName) ? refusalOf(signerName, asked.names, usages) : undefined;
  if (refusal !== undefined) {
    const failure = { type: 'Failed', reason: 'SignerValidationFailure', message: refusal };
    return withCondition(request, failure, nowMs);
  }
  const terms = { usages, nowMs, lifetimeMs: lifetimeOf(expirationSeconds, lifetimeMs) };
  const pem = await issueCertificate(asked, authority, terms);
  return { ...request, status: { ...request.status, certificate: Buffer.from(pem).toString('base64') } };
}

/** What was asked for, within bounds. */
export function lifetimeOf(expirationSeconds: number | undefined, mostMs: number): number {
  if (expirationSeconds === undefined) return mostMs;
  return Math.min(mostMs, Math.max(limits.certificateLifetimeMsMin, expirationSeconds * 1_000));
}
