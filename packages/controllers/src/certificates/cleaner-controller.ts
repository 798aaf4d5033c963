import { X509Certificate } from 'node:crypto';
import { kinds } from '@wherry/client';
import type { CertificateSigningRequest } from '@wherry/kubeapi/objects';
import { limits } from '../limits.ts';
import { isLateWrite } from '../machinery/late-write.ts';
import { defineController } from '../machinery/run-controller.ts';

/** Whether nobody will look at a request again: it is answered for an hour, open for a day, or its certificate is over. */
export function isStale({ metadata, status }: CertificateSigningRequest, nowMs: number): boolean {
  const { conditions = [], certificate } = status ?? {};
  const isOlder = (time: string | undefined, ageMs: number) =>
    time !== undefined && nowMs - Date.parse(time) > ageMs;
  if (conditions.length === 0) return isOlder(metadata.creationTimestamp, limits.openRequestAgeMs);
  if (certificate && hasExpired(certificate, nowMs)) return true;
  return conditions.some(({ type, lastUpdateTime }) => {
    const isAnswered = type !== 'Approved' || certificate;
    return isOlder(lastUpdateTime, isAnswered ? limits.answeredRequestAgeMs : limits.openRequestAgeMs);
  });
}

function hasExpired(base64: string, nowMs: number): boolean {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64')).validToDate.getTime() < nowMs;
  } catch {
    return false;
  }
}

const watches = { requests: { type: kinds.certificateSigningRequests } };

/** Deletes stale requests for certificates. */
export const requestCleaner = defineController({
  name: 'certificatesigningrequest-cleaner-controller',
  account: 'certificate-controller',
  watches,
  writes: ['certificatesigningrequests'],
  periodMs: limits.requestSweepMs,
  build: ({ cluster, informers }) => ({
    async reconcile(_key, signal) {
      const requests = [...informers.requests.objects.values()];
      const resource = cluster.client.resource(kinds.certificateSigningRequests);
      for (const { metadata } of requests.filter((request) => isStale(request, cluster.clock.nowMs()))) {
        const { name = '', uid = '' } = metadata;
        try {
          await resource.delete({ name }, { preconditions: { uid }, signal });
        } catch (error) {
          if (!isLateWrite(error)) throw error;
        }
      }
    },
  }),
});
