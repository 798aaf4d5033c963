import { hostname } from 'node:os';
import { createKubeClient, type KubeClient } from '@wherry/client';
import { sleep, systemClock } from '@wherry/clock';
import { CommandError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Steps } from '../output/steps.ts';
import { makeFolders, writeConfiguration } from './configure.ts';
import { endProcess } from './end-process.ts';
import { choosePodCidr, choosePort, primaryAddress } from './host-network.ts';
import { type NodeLayout, type Role, roles } from './layout.ts';
import { logTail } from './log-tail.ts';
import { nodeNameProblem } from './node-name.ts';
import { type CertificateFile, ensurePki } from './pki.ts';
import { apiIsReady, portAnswers, readNode, readyCondition, socketAnswers } from './probes.ts';
import { currentBootId, isRunning, type NodeRecord, readRecord, writeRecord } from './record.ts';
import { spawnRole } from './spawn-role.ts';

/** What a user may choose about a new node; an existing one keeps what it has. */
export interface StartOptions {
  name?: string | undefined;
  apiPort?: number | undefined;
  kubeletPort?: number | undefined;
  /** How long each part may take to be ready. Default `limits.readyTimeoutMs`. */
  readyTimeoutMs?: number | undefined;
}

/** A node that is up. */
export interface StartedNode {
  record: NodeRecord;
  client: KubeClient;
  /** Processes that this start brought up; the others were alive already. */
  started: Role[];
}

const defaultApiPort = 6443;
const defaultKubeletPort = 10250;

/**
 * Brings up what is missing of the node in `layout` and waits until it is Ready. The caller holds the node's lock.
 * Throws `CommandError` with the end of the log of a process that died.
 */
export async function startNode(
  layout: NodeLayout,
  options: StartOptions,
  steps: Steps,
): Promise<StartedNode> {
  const existing = readRecord(layout);
  refuseChanges(existing, options);
  makeFolders(layout);
  const record = existing ?? (await newRecord(layout, options));
  const missing = roles.filter((role) => !isRunning(record, role));
  record.bootId = currentBootId();
  const begin = (role: Role) => {
    if (missing.includes(role)) record.processes[role] = spawnRole(role, layout, record);
    writeRecord(layout, record);
  };
  // These two need no certificate: they load while the certificates are made.
  begin('monitor');
  begin('runtime');
  await steps.run('certificates', async () => {
    const issued = await ensurePki(pkiOptions(layout, record));
    missing.push(...(await endOutdated(record, issued)));
    return describeIssued(issued.length);
  });
  writeConfiguration(layout, record);
  begin('apiserver');
  begin('kubelet');
  const client = createKubeClient({ kubeconfig: layout.kubeconfig });
  try {
    const { readyTimeoutMs = limits.readyTimeoutMs } = options;
    await waitForParts({ layout, record, client, missing, steps, begin, readyTimeoutMs });
  } catch (error) {
    client.close();
    if (!existing) await endAll(layout, record);
    throw error;
  }
  return { record, client, started: missing };
}

/** A node whose first start failed is not left half up. */
async function endAll(layout: NodeLayout, record: NodeRecord): Promise<void> {
  await Promise.all(Object.values(record.processes).map(endProcess));
  record.processes = {};
  writeRecord(layout, record);
}

function refuseChanges(existing: NodeRecord | undefined, { name, apiPort, kubeletPort }: StartOptions): void {
  if (!existing) return;
  const conflicts = [
    name !== undefined && name !== existing.name && `name ${existing.name}`,
    apiPort && apiPort !== existing.apiPort && `API port ${existing.apiPort}`,
    kubeletPort && kubeletPort !== existing.kubeletPort && `kubelet port ${existing.kubeletPort}`,
  ].filter((conflict) => typeof conflict === 'string');
  if (conflicts.length === 0) return;
  throw new CommandError(
    `the node in this folder has ${conflicts.join(' and ')}; "wherry down --purge" it first`,
  );
}

async function newRecord(layout: NodeLayout, options: StartOptions): Promise<NodeRecord> {
  const { apiPort, kubeletPort } = options;
  const name = options.name ?? hostname().toLowerCase();
  const problem = nodeNameProblem(name);
  if (problem !== undefined) {
    throw new CommandError(
      `"${name}", the host name, can't name the node: ${problem}; choose one with --name`,
    );
  }
  return {
    version: 1,
    name,
    nodeIp: primaryAddress(),
    apiPort: await choosePort(apiPort ?? defaultApiPort, apiPort !== undefined, '--api-port'),
    kubeletPort: await choosePort(
      kubeletPort ?? defaultKubeletPort,
      kubeletPort !== undefined,
      '--kubelet-port',
    ),
    bridgeName: layout.bridgeName,
    podCidr: choosePodCidr(Number.parseInt(layout.id, 16)),
    cgroupRoot: layout.cgroupRoot,
    bootId: currentBootId(),
    processes: {},
  };
}

function pkiOptions(layout: NodeLayout, record: NodeRecord) {
  const gateway = record.podCidr.replace(/\.0\/\d+$/, '.1');
  return { pkiDir: layout.pkiDir, nodeName: record.name, nodeIp: record.nodeIp, apiAddresses: [gateway] };
}

/** Processes that run with certificates which were just replaced are ended, to start anew; containers stay. */
async function endOutdated(record: NodeRecord, issued: readonly CertificateFile[]): Promise<Role[]> {
  const users: [Role, CertificateFile[]][] = [
    ['apiserver', ['apiserver', 'apiserver-kubelet-client']],
    ['controllers', ['controller-manager', 'scheduler']],
    ['kubelet', ['kubelet', 'kubelet-client']],
  ];
  const outdated = users
    .filter(([role, files]) => isRunning(record, role) && files.some((file) => issued.includes(file)))
    .map(([role]) => role);
  for (const role of outdated) {
    const identity = record.processes[role];
    if (identity) await endProcess(identity);
  }
  return outdated;
}

const describeIssued = (count: number) => (count === 0 ? 'all valid' : `${count} issued`);

interface Waiting {
  layout: NodeLayout;
  record: NodeRecord;
  client: KubeClient;
  missing: Role[];
  steps: Steps;
  /** Starts a process if it is missing. */
  begin(role: Role): void;
  readyTimeoutMs: number;
}

async function waitForParts(waiting: Waiting): Promise<void> {
  const { layout, record, client, missing, steps, begin, readyTimeoutMs } = waiting;
  const startedMs = systemClock.nowMs();
  const deadline = systemClock.monotonicMs() + readyTimeoutMs;
  const until = (role: Role, isReady: () => Promise<boolean>) =>
    steps.run(role, async () => {
      while (!(await isReady())) {
        if (!isRunning(record, role)) throw died(role, layout);
        if (systemClock.monotonicMs() > deadline) throw tooSlow(role, layout, readyTimeoutMs);
        await sleep({ clock: systemClock, delayMs: limits.readyPollMs });
      }
      return `${missing.includes(role) ? 'started' : 'was running'}, pid ${record.processes[role]?.pid}`;
    });
  await until('monitor', () => socketAnswers(layout.monitorSocket));
  await until('runtime', () => socketAnswers(layout.criSocket));
  await until('apiserver', () => apiIsReady(client));
  // They have nothing to do before, and would only take time from the others.
  begin('controllers');
  await until('controllers', async () => isRunning(record, 'controllers'));
  await until('kubelet', () => portAnswers(record.kubeletPort));
  await steps.run('node Ready', async () => {
    const notBefore = missing.includes('kubelet') ? Math.floor(startedMs / 1000) * 1000 : 0;
    while (!(await nodeIsReady(client, record.name, notBefore))) {
      const dead = roles.find((role) => !isRunning(record, role));
      if (dead) throw died(dead, layout);
      if (systemClock.monotonicMs() > deadline) throw tooSlow('kubelet', layout, readyTimeoutMs);
      await sleep({ clock: systemClock, delayMs: limits.readyPollMs });
    }
    return record.name;
  });
}

/** A Ready condition that was written before this kubelet started says nothing about it. */
async function nodeIsReady(client: KubeClient, name: string, notBeforeMs: number): Promise<boolean> {
  const ready = readyCondition(await readNode(client, name));
  return ready?.status === 'True' && Date.parse(ready.lastHeartbeatTime ?? '') >= notBeforeMs;
}

function died(role: Role, layout: NodeLayout): CommandError {
  const log = layout.logFile(role);
  return new CommandError(`${role} ended while starting; the end of "${log}":\n${logTail(log)}`);
}

function tooSlow(role: Role, layout: NodeLayout, timeoutMs: number): CommandError {
  const log = layout.logFile(role);
  const seconds = timeoutMs / 1000;
  return new CommandError(
    `${role} was not ready after ${seconds} s (--ready-timeout); the end of "${log}":\n${logTail(log)}`,
  );
}
