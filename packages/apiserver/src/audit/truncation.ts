import { exactJson } from '@wherry/kubeapi';
import type { AuditEvent } from './audit-event.ts';

/** With the end of its line, as upstream counts. */
const bytesOf = (event: AuditEvent) => Buffer.byteLength(exactJson(event)) + 1;

/** The event, without the objects it holds where it is longer than that with them; undefined when it is too long even so. */
export function eventWithin(event: AuditEvent, bytesMax: number | undefined): AuditEvent | undefined {
  if (bytesMax === undefined || bytesOf(event) <= bytesMax) return event;
  if (event.level === 'Metadata') return undefined;
  const { requestObject: _request, responseObject: _response, ...rest } = event;
  const annotations = { ...event.annotations, 'audit.k8s.io/truncated': 'true' };
  const short = { ...rest, annotations };
  return bytesOf(short) <= bytesMax ? short : undefined;
}
