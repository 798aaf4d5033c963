/** Flags of `wherry apiserver` that tell which requests are written down, and where; names and defaults are kube-apiserver's. */
import type { ApiserverOptions } from '@wherry/apiserver';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseSwitch, parseTimeMs, parseWhole } from './flag-values.ts';

/** As commander hands them over. */
export interface AuditFlags {
  auditPolicyFile?: string;
  auditLogPath?: string;
  auditLogMaxage?: number;
  auditLogMaxbackup?: number;
  auditLogMaxsize?: number;
  auditLogCompress?: boolean;
  auditLogFormat?: 'json' | 'legacy';
  auditLogMode?: 'batch' | 'blocking' | 'blocking-strict';
  auditLogTruncateEnabled?: boolean;
  auditLogTruncateMaxEventSize?: number;
  auditWebhookConfigFile?: string;
  auditWebhookInitialBackoff?: number;
  auditWebhookBatchBufferSize?: number;
  auditWebhookBatchMaxSize?: number;
  auditWebhookBatchMaxWait?: number;
  auditWebhookBatchThrottleEnable?: boolean;
  auditWebhookBatchThrottleQps?: number;
  auditWebhookBatchThrottleBurst?: number;
  auditWebhookTruncateEnabled?: boolean;
  auditWebhookTruncateMaxEventSize?: number;
  auditWebhookTruncateMaxBatchSize?: number;
}

const eventBytesMax = 100 * 1024;
const batchBytesMax = 10 * 1024 * 1024;

function parseCount(value: string): number {
  const count = parseWhole(value);
  if (count > 0) return count;
  throw new InvalidArgumentError('expected a whole number from 1 on');
}

function parseRate(value: string): number {
  const rate = Number(value);
  if (value.trim() !== '' && Number.isFinite(rate) && rate > 0) return rate;
  throw new InvalidArgumentError('expected a number above 0');
}

const auditVersion = 'audit.k8s.io/v1';
const versionOption = (flag: string) =>
  new Option(`${flag} <version>`, `of the events (default: ${auditVersion})`).choices([auditVersion]);
const switchOption = (flag: string, text: string) =>
  new Option(`${flag} [switch]`, text).argParser(parseSwitch).preset('true');

function onlyBatch(value: string): string {
  if (value === 'batch') return value;
  throw new InvalidArgumentError('requests do not wait for the webhook here: batch alone');
}

/** Adds them. */
export function addAuditFlags(command: Command): Command {
  return addWebhookFlags(addLogFlags(command));
}

function addLogFlags(command: Command): Command {
  return command
    .option('--audit-policy-file <file>', 'which requests are audited: a Policy of audit.k8s.io/v1, YAML')
    .option('--audit-log-path <file>', 'where events of the audit go; - is standard output')
    .option('--audit-log-maxage <days>', 'how long old files are kept, 0 for good (default: 366)', parseWhole)
    .option('--audit-log-maxbackup <n>', 'old files that are kept, 0 for all (default: 100)', parseWhole)
    .option('--audit-log-maxsize <MiB>', 'when a new file is begun, 0 for never (default: 100)', parseWhole)
    .addOption(switchOption('--audit-log-compress', 'pack old files with gzip'))
    .addOption(
      new Option('--audit-log-format <form>', 'of a line (default: json)').choices(['json', 'legacy']),
    )
    .addOption(
      new Option(
        '--audit-log-mode <mode>',
        'whether requests wait for their events (default: blocking)',
      ).choices(['batch', 'blocking', 'blocking-strict']),
    )
    .addOption(switchOption('--audit-log-truncate-enabled', 'write long events without their objects'))
    .option(
      '--audit-log-truncate-max-event-size <bytes>',
      `of an event with its objects (default: ${eventBytesMax})`,
      parseCount,
    )
    .addOption(versionOption('--audit-log-version'));
}

function addWebhookFlags(command: Command): Command {
  const name = '--audit-webhook';
  return command
    .option(`${name}-config-file <file>`, 'where events go by HTTPS, and as whom: a kubeconfig')
    .option(
      `${name}-initial-backoff <duration>`,
      'before what it did not take is sent again (default: 10s)',
      parseTimeMs,
    )
    .addOption(new Option(`${name}-mode <mode>`, 'batch alone').argParser(onlyBatch))
    .option(`${name}-batch-buffer-size <n>`, 'events that wait for it (default: 10000)', parseCount)
    .option(`${name}-batch-max-size <n>`, 'events of one request (default: 400)', parseCount)
    .option(
      `${name}-batch-max-wait <duration>`,
      'how long an event waits for others (default: 30s)',
      parseTimeMs,
    )
    .addOption(
      switchOption(`${name}-batch-throttle-enable`, 'keep to so many requests a second (default: true)'),
    )
    .option(`${name}-batch-throttle-qps <n>`, 'how many (default: 10)', parseRate)
    .option(`${name}-batch-throttle-burst <n>`, 'and at once after a rest (default: 15)', parseCount)
    .addOption(switchOption(`${name}-truncate-enabled`, 'send long events without their objects'))
    .option(
      `${name}-truncate-max-event-size <bytes>`,
      `of an event with its objects (default: ${eventBytesMax})`,
      parseCount,
    )
    .option(
      `${name}-truncate-max-batch-size <bytes>`,
      `of the events of one request (default: ${batchBytesMax})`,
      parseCount,
    )
    .addOption(versionOption(`${name}-version`));
}

/** The options of the API server that several of them together stand for; the others are options by their own names. */
export function auditOptions(flags: AuditFlags): Partial<ApiserverOptions> {
  const { auditWebhookConfigFile: configFile } = flags;
  return {
    ...(flags.auditLogTruncateEnabled && {
      auditLogMaxEventBytes: flags.auditLogTruncateMaxEventSize ?? eventBytesMax,
    }),
    ...(configFile !== undefined && { auditWebhook: webhookOptions(configFile, flags) }),
  };
}

function webhookOptions(configFile: string, flags: AuditFlags): ApiserverOptions['auditWebhook'] {
  const isThrottled = flags.auditWebhookBatchThrottleEnable ?? true;
  return {
    ...{ configFile, initialBackoffMs: flags.auditWebhookInitialBackoff },
    ...{ bufferSize: flags.auditWebhookBatchBufferSize, maxBatchSize: flags.auditWebhookBatchMaxSize },
    maxBatchWaitMs: flags.auditWebhookBatchMaxWait,
    requestsPerSecond: isThrottled ? flags.auditWebhookBatchThrottleQps : 0,
    burst: flags.auditWebhookBatchThrottleBurst,
    ...(flags.auditWebhookTruncateEnabled && {
      truncation: {
        maxEventBytes: flags.auditWebhookTruncateMaxEventSize ?? eventBytesMax,
        maxBatchBytes: flags.auditWebhookTruncateMaxBatchSize ?? batchBytesMax,
      },
    }),
  };
}
