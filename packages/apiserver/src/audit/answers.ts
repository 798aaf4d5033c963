import type { AuditTrail } from './audit-trail.ts';

const trails = new WeakMap<object, AuditTrail>();

/** Whoever writes that answer tells the trail of it. */
export function auditAnswer(response: object, trail: AuditTrail): void {
  trails.set(response, trail);
}

/** Undefined where nobody wants to know what a request is answered with. */
export function trailOfAnswer(response: object): AuditTrail | undefined {
  return trails.get(response);
}
