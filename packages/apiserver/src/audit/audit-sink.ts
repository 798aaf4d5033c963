import type { AuditEvent } from './audit-event.ts';

/** Which part of the audit could not take an event, as the metric `apiserver_audit_error_total` names it. */
export type AuditPart = 'buffered' | 'log' | 'truncate' | 'webhook';

/** Where events go. */
export interface AuditSink {
  /** The part that could not take the event; undefined when it was taken. */
  write(event: AuditEvent): AuditPart | undefined;
  /** True: a request whose beginning can't be written is refused. */
  readonly isStrict: boolean;
  /** Resolves once all that was taken has been written, or is given up. */
  close(): Promise<void>;
}
