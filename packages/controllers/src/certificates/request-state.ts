import { type CertificateSigningRequest, timeFromMs } from '@wherry/kubeapi/objects';

/** Whether a request has that condition, such as `Approved`. */
export function hasCondition({ status }: CertificateSigningRequest, wanted: string): boolean {
  return (status?.conditions ?? []).some(({ type, status }) => type === wanted && status === 'True');
}

/** A copy of a request with one more condition. */
export function withCondition(
  request: CertificateSigningRequest,
  condition: { type: string; reason: string; message: string },
  nowMs: number,
): CertificateSigningRequest {
  const added = { ...condition, status: 'True', lastUpdateTime: timeFromMs(nowMs) };
  const conditions = [...(request.status?.conditions ?? []), added];
  return { ...request, status: { ...request.status, conditions } };
}
