import type { Clock } from '@wherry/clock';
import type { Logger, MetricsRegistry } from '@wherry/telemetry';
import { AuditLog } from './audit-log.ts';
import { AuditPolicy } from './audit-policy.ts';
import type { AuditSettings } from './audit-settings.ts';
import type { AuditSink } from './audit-sink.ts';
import { AuditWebhook } from './audit-webhook.ts';
import { Auditor, auditErrors } from './auditor.ts';
import type { AuditPost } from './webhook-post.ts';

/** What an auditor is made with. */
export interface AuditorParts {
  metrics: MetricsRegistry;
  clock: Clock;
  logger: Logger;
  /** To the webhook, where there is one. */
  post: AuditPost | undefined;
}

/** A policy without a place to write to writes nothing, and a place without a policy has nothing to say, as upstream. */
export function createAuditor(options: AuditSettings, parts: AuditorParts): Auditor | undefined {
  const { auditPolicyFile, auditLogPath, auditWebhook } = options;
  const policy = auditPolicyFile === undefined ? undefined : AuditPolicy.read(auditPolicyFile);
  if (!policy) return undefined;
  const { metrics, clock, logger, post } = parts;
  const errors = auditErrors(metrics);
  const sinks: AuditSink[] = [];
  if (auditLogPath !== undefined)
    sinks.push(
      new AuditLog(
        {
          path: auditLogPath,
          maxAgeDays: options.auditLogMaxage,
          maxBackups: options.auditLogMaxbackup,
          maxSizeMebibytes: options.auditLogMaxsize,
          compresses: options.auditLogCompress,
          maxEventBytes: options.auditLogMaxEventBytes,
          format: options.auditLogFormat,
          mode: options.auditLogMode,
        },
        { clock, logger },
      ),
    );
  if (auditWebhook && post) {
    const onLost = (plugin: string, events: number) => void errors.add(events, { plugin });
    sinks.push(new AuditWebhook(auditWebhook, { post, clock, logger, onLost }));
  }
  return sinks.length === 0 ? undefined : new Auditor({ policy, sinks, errors, metrics, clock, logger });
}
