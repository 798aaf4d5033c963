import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteStore } from '@wherry/apiserver';
import { createKubeClient, type KubeClient } from '@wherry/client';
import { sleep, systemClock } from '@wherry/clock';
import { startKubelet } from '@wherry/kubelet';
import { type Logger, silentLogger } from '@wherry/telemetry';
import { installAddons } from '../addons/install-addons.ts';
import { tellPodRanges } from '../addons/pod-ranges.ts';
import { endPods } from '../end/end-pods.ts';
import { NodeError } from '../errors.ts';
import type { NodeLayout } from '../layout/layout.ts';
import { lockNode } from '../layout/lock.ts';
import { type NodeRecord, writeRecord } from '../layout/record.ts';
import { limits } from '../limits.ts';
import { ensurePki } from '../pki/ensure-pki.ts';
import { dnsAnswers, readNode, readyCondition } from '../processes/probes.ts';
import { roleFlags } from '../processes/role-flags.ts';
import { startApiserverFrom } from '../roles/apiserver.ts';
import { startMonitorFrom } from '../roles/monitor.ts';
import { type Network, startNetworkFrom } from '../roles/network.ts';
import { startRuntimeFrom } from '../roles/runtime.ts';
import { makeFolders, pkiOptions, writeConfiguration } from '../start/configure.ts';
import { newRecord } from '../start/new-record.ts';
import { Parts } from './parts.ts';
import { runControllers } from './run-controllers.ts';
import type { RunningPart } from './running-part.ts';

/** Options of {@link runNode}. */
export interface RunNodeOptions {
  /** The node's name, a DNS subdomain. Default: the host name in lower case. */
  name?: string | undefined;
  /** Which groups and resources to serve beyond, or short of, the usual. */
  runtimeConfig?: Readonly<Record<string, boolean>> | undefined;
  /** How long the node may take to be Ready. Default `limits.readyTimeoutMs`. */
  readyTimeoutMs?: number | undefined;
  /** Gives the start up: it rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  logger?: Logger | undefined;
}

/** A node whose parts run in this process. */
export interface RunningNode extends RunningPart {
  readonly record: NodeRecord;
}

/**
 * Runs every part of a new node in this process, each behind its socket or port as otherwise, and waits until the node is
 * Ready. Several run side by side in different folders. For tests, which have no time for a process a part: what ends one
 * part ends all. Needs root. What a start that failed has made, `stopNode(layout, { purge: true })` takes away, as it does
 * with a node whose process was killed.
 */
export async function runNode(layout: NodeLayout, options: RunNodeOptions = {}): Promise<RunningNode> {
  const { logger = silentLogger, signal } = options;
  using _lock = await lockNode(layout, signal);
  makeFolders(layout, {});
  const record = newRecord(layout, { name: options.name }, { apiPort: 0, kubeletPort: 0 });
  writeRecord(layout, record);
  const parts = new Parts();
  try {
    const containers = runContainers(layout, record, { parts, logger });
    const api = await parts.add('apiserver', runApi(layout, record, options));
    const kubelet = parts.add('kubelet', startKubelet({ ...roleFlags.kubelet(layout, record), logger }));
    const loops = runControllers(roleFlags.controllers(layout, record), { logger });
    await parts.add('controllers', Promise.resolve(loops));
    await parts.add('network', runNetwork(layout, record, logger));
    await containers;
    record.kubeletPort = (await kubelet).port;
    writeRecord(layout, record);
    await untilReady(layout, record, options);
    return { record, store: api.store, failed: api.failed, close: () => parts.close() };
  } catch (error) {
    await parts.close();
    throw error;
  }
}

/** The runtime needs the monitor from its start to its end, and pods end by the runtime. */
function runContainers(
  layout: NodeLayout,
  record: NodeRecord,
  { parts, logger }: { parts: Parts; logger: Logger },
): Promise<unknown> {
  const monitor = startMonitorFrom(roleFlags.monitor(layout), { logger, ownsProcess: false });
  const runtime = startRuntimeFrom(roleFlags.runtime(layout, record), logger);
  const pods = runtime.then(() => ({ close: () => endPods(layout, true, 0) }));
  return Promise.all([parts.add('monitor', monitor), parts.add('runtime', runtime), parts.add('pods', pods)]);
}

/** The server chooses its port by listening, so that no two ever choose the same. */
async function runApi(layout: NodeLayout, record: NodeRecord, { runtimeConfig, logger }: RunNodeOptions) {
  await ensurePki(pkiOptions(layout, record));
  const flags = roleFlags.apiserver(layout, record);
  mkdirSync(flags.dataDir, { recursive: true, mode: 0o700 });
  const store = new SqliteStore({ path: join(flags.dataDir, 'state.db'), durability: 'process' });
  const server = await startApiserverFrom(
    { ...flags, ...(runtimeConfig && { runtimeConfig }) },
    { store, logger: logger ?? silentLogger },
  );
  record.apiPort = server.port;
  writeConfiguration(layout, record);
  return { store, failed: server.failed, close: () => server.close() };
}

async function runNetwork(layout: NodeLayout, record: NodeRecord, logger: Logger): Promise<Network> {
  const client = createKubeClient({ kubeconfig: layout.kubeconfig });
  try {
    await installAddons(client, record);
  } finally {
    client.close();
  }
  return startNetworkFrom(roleFlags.network(layout, record), logger);
}

async function untilReady(
  layout: NodeLayout,
  record: NodeRecord,
  { readyTimeoutMs = limits.readyTimeoutMs, signal }: RunNodeOptions,
): Promise<void> {
  const { name, apiPort } = record;
  const client: KubeClient = createKubeClient({ kubeconfig: layout.kubeconfig });
  const deadline = systemClock.monotonicMs() + readyTimeoutMs;
  try {
    for (;;) {
      const ready = readyCondition(await readNode(client, name));
      if (ready?.status === 'True' && (await dnsAnswers(record))) return await tellPodRanges(client, record);
      if (systemClock.monotonicMs() > deadline) {
        const why =
          ready?.status === 'True'
            ? 'nothing answers on port 53 of its pods’ network'
            : (ready?.message ?? `the API server on port ${apiPort} does not know it`);
        throw new NodeError('not-ready', `node "${name}" was not Ready after ${readyTimeoutMs} ms: ${why}`);
      }
      await sleep({ clock: systemClock, delayMs: limits.readyPollMs, signal });
    }
  } finally {
    client.close();
  }
}
