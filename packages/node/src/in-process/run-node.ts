import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteStore } from '@wherry/apiserver';
import { startKubelet } from '@wherry/kubelet';
import { type Logger, silentLogger } from '@wherry/telemetry';
import type { NodeLayout } from '../layout/layout.ts';
import { lockNode } from '../layout/lock.ts';
import { type NodeRecord, writeRecord } from '../layout/record.ts';
import type { GivenFlags } from '../layout/settings.ts';
import { ensurePki } from '../pki/ensure-pki.ts';
import { roleFlags } from '../processes/role-flags.ts';
import { startApiserverFrom } from '../roles/apiserver.ts';
import { startNetworkFrom } from '../roles/network/network.ts';
import { makeFolders, pkiOptions, writeConfiguration } from '../start/configure.ts';
import { newRecord } from '../start/new-record.ts';
import { runContainers, untilReady } from './node-parts.ts';
import { Parts } from './parts.ts';
import { readFlags } from './read-flags.ts';
import { runControllers } from './run-controllers.ts';
import { applyAddons, runMembers } from './run-members.ts';
import type { RunningPart } from './running-part.ts';

/** Options of {@link runNode}. */
export interface RunNodeOptions {
  /** The node's name, a DNS subdomain. Default: the host name in lower case. */
  name?: string | undefined;
  /** Which groups and resources to serve beyond, or short of, the usual. */
  runtimeConfig?: Readonly<Record<string, boolean>> | undefined;
  /** Flags of `wherry apiserver` beyond those that a node gives it. What it does not know, and what a node decides, is refused by name. */
  apiserverFlags?: GivenFlags | undefined;
  /** How long the node may take to be Ready. Default `limits.readyTimeoutMs`. */
  readyTimeoutMs?: number | undefined;
  /** Names of further nodes of its cluster, in folders below its own. Default: none. */
  members?: readonly string[] | undefined;
  /** Gives the start up: it rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  logger?: Logger | undefined;
}

/** A node whose parts run in this process. */
export interface RunningNode extends RunningPart {
  readonly record: NodeRecord;
}

/**
 * Runs every part of a new node, and of those that join its cluster, in this process, each behind its socket or port as
 * otherwise, and waits until all are Ready. Several run side by side in different folders. For tests, which have no time
 * for a process a part: what ends one part ends all. Needs root. What a start that failed has made,
 * `stopNode(layout, { purge: true })` takes away, as it does with a node whose process was killed.
 */
export async function runNode(layout: NodeLayout, options: RunNodeOptions = {}): Promise<RunningNode> {
  const { logger = silentLogger, signal, members = [] } = options;
  using _lock = await lockNode(layout, signal);
  makeFolders(layout, {});
  const record = newRecord(layout, { name: options.name }, { apiPort: 0, kubeletPort: 0 });
  record.members = members;
  writeRecord(layout, record);
  const parts = new Parts();
  try {
    const containers = runContainers(layout, record, { parts, logger });
    const api = await parts.add('apiserver', runApi(layout, record, options));
    const kubelet = parts.add('kubelet', startKubelet({ ...roleFlags.kubelet(layout, record), logger }));
    const addons = applyAddons(layout, record);
    const server = { layout, record, addons };
    const joined = parts.add('members', runMembers(server, members, { ...options, logger }));
    const loops = runControllers(roleFlags.controllers(layout, record), { logger });
    await parts.add('controllers', Promise.resolve(loops));
    await addons;
    await parts.add('network', startNetworkFrom(roleFlags.network(layout, record), logger));
    await containers;
    record.kubeletPort = (await kubelet).port;
    writeRecord(layout, record);
    await untilReady(layout, record, options);
    await joined;
    return { record, store: api.store, failed: api.failed, close: () => parts.close() };
  } catch (error) {
    await parts.close();
    throw error;
  }
}

/** The server chooses its port by listening, so that no two ever choose the same. */
async function runApi(layout: NodeLayout, record: NodeRecord, options: RunNodeOptions) {
  const { runtimeConfig, apiserverFlags, logger } = options;
  const given = await readFlags(apiserverFlags);
  await ensurePki(pkiOptions(layout, record));
  const flags = roleFlags.apiserver(layout, record);
  mkdirSync(flags.dataDir, { recursive: true, mode: 0o700 });
  const store = new SqliteStore({ path: join(flags.dataDir, 'state.db'), durability: 'process' });
  const server = await startApiserverFrom(
    { ...flags, ...(runtimeConfig && { runtimeConfig }), ...given },
    { store, logger: logger ?? silentLogger },
  );
  record.apiPort = server.port;
  writeConfiguration(layout, record);
  return { store, failed: server.failed, close: () => server.close() };
}
