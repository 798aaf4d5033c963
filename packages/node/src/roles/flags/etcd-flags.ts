/** Flags of `wherry apiserver` for a store in etcd, and for what is told of any store; names and defaults are kube-apiserver's. */
import type { ApiserverOptions } from '@wherry/apiserver';
import { type Command, Option } from 'commander';
import { NodeError } from '../../errors.ts';
import { collectList, parseLifetimeMs, parseTimeMs, parseWhole } from './flag-values.ts';

/** As commander hands them over. */
export interface EtcdFlags {
  etcdServers?: string[];
  etcdServersOverrides?: string[];
  storageBackend?: 'etcd3';
  etcdCafile?: string;
  etcdCertfile?: string;
  etcdKeyfile?: string;
  etcdPrefix?: string;
  etcdCompactionInterval?: number;
  etcdHealthcheckTimeout?: number;
  etcdReadycheckTimeout?: number;
  etcdCountMetricPollPeriod?: number;
  etcdDbMetricPollInterval?: number;
  leaseReuseDurationSeconds?: number;
}

/** Adds them. */
export function addEtcdFlags(command: Command): Command {
  return command
    .option(
      '--etcd-servers <urls>',
      'http://HOST:PORT or https://HOST:PORT of etcd’s members: the store, in place of SQLite in --data-dir',
      collectList,
    )
    .option(
      '--etcd-servers-overrides <overrides>',
      'GROUP/RESOURCE#URL;URL of resources that another etcd keeps, such as /events#http://127.0.0.1:4002',
      collectList,
    )
    .addOption(
      new Option('--storage-backend <name>', 'etcd3 alone, where --etcd-servers is given').choices(['etcd3']),
    )
    .option('--etcd-cafile <file>', 'CA of etcd’s certificates (default: the machine’s)')
    .option('--etcd-certfile <file>', 'client certificate towards etcd')
    .option('--etcd-keyfile <file>', 'its key')
    .option('--etcd-prefix <prefix>', 'what all keys in etcd begin with (default: /registry)')
    .option(
      '--etcd-compaction-interval <duration>',
      'how often etcd’s history is forgotten, 0 for never by this server (default: 5m)',
      parseLifetimeMs,
    )
    .option(
      '--etcd-healthcheck-timeout <duration>',
      'etcd is well that answers in time (default: 2s)',
      parseTimeMs,
    )
    .option(
      '--etcd-readycheck-timeout <duration>',
      'the server is ready whose etcd answers in time (default: 2s)',
      parseTimeMs,
    )
    .option(
      '--lease-reuse-duration-seconds <n>',
      'so long keys that go by themselves share a lease of etcd (default: 60)',
      parseWhole,
    )
    .option(
      '--etcd-count-metric-poll-period <duration>',
      'how long a count of stored objects is told, 0 for no count; of any store (default: 1m)',
      parseLifetimeMs,
    )
    .option(
      '--etcd-db-metric-poll-interval <duration>',
      'how long the size of the store is told, 0 for no size; of any store (default: 30s)',
      parseLifetimeMs,
    );
}

/**
 * The options of the API server that go by other names; the others are options by their own. Throws `NodeError` `bad-settings` where
 * the store is to be in an etcd that no flag names.
 */
export function etcdOptions(flags: EtcdFlags): Partial<ApiserverOptions> {
  if (flags.storageBackend !== undefined && !flags.etcdServers)
    throw new NodeError(
      'bad-settings',
      '--storage-backend=etcd3 needs --etcd-servers: without it the store is SQLite in --data-dir',
    );
  return {
    etcdCompactionIntervalMs: flags.etcdCompactionInterval,
    etcdHealthcheckTimeoutMs: flags.etcdHealthcheckTimeout,
    etcdReadycheckTimeoutMs: flags.etcdReadycheckTimeout,
    etcdCountMetricPollPeriodMs: flags.etcdCountMetricPollPeriod,
    etcdDbMetricPollIntervalMs: flags.etcdDbMetricPollInterval,
  };
}
