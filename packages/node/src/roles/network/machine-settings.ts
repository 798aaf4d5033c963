/** What a configuration says of the machine: limits of connection tracking, and who is ended first when memory runs out. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '@wherry/telemetry';
import { NodeError } from '../../errors.ts';
import type { ProxyConfiguration } from './configuration/proxy-fields.ts';

type Conntrack = ProxyConfiguration['conntrack'];

/** Connections that are tracked at most, whatever the machine has of processors; upstream: pkg/proxy/conntrack. */
const trackedMax = 1_048_576;
/** So many connections are looked for in one place of the kernel's table. */
const connectionsPerBucket = 4;
const hashSizeFile = 'module/nf_conntrack/parameters/hashsize';

/** Where the kernel shows and takes settings. */
export interface KernelFolders {
  proc: string;
  sys: string;
}

const usualFolders: KernelFolders = { proc: '/proc', sys: '/sys' };

/**
 * Sets what the configuration has of `conntrack` and `oomScoreAdj`: all of it, or the fields in `said` alone. Throws `NodeError`
 * `bad-settings` naming the setting that the kernel refuses, as upstream ends then; a refused `oomScoreAdj` is warned of.
 */
export function setMachine(
  { conntrack, oomScoreAdj }: Pick<ProxyConfiguration, 'conntrack' | 'oomScoreAdj'>,
  {
    said,
    logger,
    folders = usualFolders,
  }: { said: ReadonlySet<string>; logger: Logger; folders?: KernelFolders },
): void {
  setConntrack(conntrack, { said, logger, folders });
  if (!said.has('oomScoreAdj')) return;
  try {
    writeFileSync(join(folders.proc, 'self/oom_score_adj'), String(oomScoreAdj));
  } catch (error) {
    logger.warn('oomScoreAdj cannot be set', { oomScoreAdj, error });
  }
}

function setConntrack(
  conntrack: Conntrack,
  { said, logger, folders }: { said: ReadonlySet<string>; logger: Logger; folders: KernelFolders },
): void {
  const set = (path: string, name: string, value: number) => {
    try {
      const file = join(folders.proc, 'sys/net/netfilter', name);
      if (Number(readFileSync(file, 'utf8')) !== value) {
        writeFileSync(file, String(value));
        logger.info('a limit of connection tracking is set', { name, value });
      }
      if (name === 'nf_conntrack_max') growTable(folders, value);
    } catch (error) {
      throw new NodeError(
        'bad-settings',
        `conntrack.${path}: the kernel refuses ${name} ${value}; 0 leaves it as it is: ${(error as Error).message}`,
        { cause: error },
      );
    }
  };
  const tracked = trackedOf(conntrack, cpus().length);
  if (tracked > 0 && (said.has('conntrack.maxPerCore') || said.has('conntrack.min')))
    set('maxPerCore', 'nf_conntrack_max', tracked);
  const { tcpEstablishedTimeout, tcpCloseWaitTimeout, udpTimeout, udpStreamTimeout, tcpBeLiberal } =
    conntrack;
  const times = [
    ['tcpEstablishedTimeout', 'nf_conntrack_tcp_timeout_established', tcpEstablishedTimeout],
    ['tcpCloseWaitTimeout', 'nf_conntrack_tcp_timeout_close_wait', tcpCloseWaitTimeout],
    ['udpTimeout', 'nf_conntrack_udp_timeout', udpTimeout],
    ['udpStreamTimeout', 'nf_conntrack_udp_timeout_stream', udpStreamTimeout],
  ] as const;
  for (const [path, name, timeMs] of times)
    if (said.has(`conntrack.${path}`) && timeMs > 0) set(path, name, Math.trunc(timeMs / 1_000));
  if (tcpBeLiberal) set('tcpBeLiberal', 'nf_conntrack_tcp_be_liberal', 1);
}

/** How many connections are tracked at most; 0 leaves that to the kernel. */
function trackedOf({ maxPerCore, min }: Conntrack, processors: number): number {
  if (maxPerCore === 0) return 0;
  const scaled = maxPerCore * processors;
  return scaled > trackedMax ? trackedMax : Math.max(scaled, min);
}

function growTable({ sys }: KernelFolders, tracked: number): void {
  const file = join(sys, hashSizeFile);
  const wanted = Math.trunc(tracked / connectionsPerBucket);
  if (Number(readFileSync(file, 'utf8')) < wanted) writeFileSync(file, String(wanted));
}
