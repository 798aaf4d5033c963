import { hasReason } from '@wherry/kubeapi/objects';

/** Whether a write came too late: its object is gone or has changed since it was read. An event of that leads to another look. */
export function isLateWrite(error: unknown): boolean {
  return hasReason(error, 'NotFound') || hasReason(error, 'Conflict');
}
