import type { AuditMode } from './audit-log.ts';
import type { AuditWebhookOptions } from './audit-webhook.ts';

/** Which requests are written down, and where. */
export interface AuditSettings {
  /** YAML of a Policy (audit.k8s.io/v1): which requests are written down, and how much of them. Default: none. */
  auditPolicyFile?: string | undefined;
  /** Where to, one event a line; `-` is the standard output. Default: nowhere. */
  auditLogPath?: string | undefined;
  /** Days that old files are kept; 0: for good. Default 366. */
  auditLogMaxage?: number | undefined;
  /** Old files that are kept; 0: all. Default 100. */
  auditLogMaxbackup?: number | undefined;
  /** Mebibytes after which a new file is begun; 0: never. Default 100. */
  auditLogMaxsize?: number | undefined;
  /** Old files are packed with gzip. Default false. */
  auditLogCompress?: boolean | undefined;
  /** Bytes of an event beyond which the log has it without the objects it holds. Default: any. */
  auditLogMaxEventBytes?: number | undefined;
  /** Default json. */
  auditLogFormat?: 'json' | 'legacy' | undefined;
  /** Whether requests wait for their events to be written, or are refused when they can't be. Default blocking. */
  auditLogMode?: AuditMode | undefined;
  /** Where else events go, many at a time. Default: nowhere. */
  auditWebhook?: AuditWebhookOptions | undefined;
}
