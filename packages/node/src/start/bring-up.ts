import { resolve } from 'node:path';
import { createKubeClient, type KubeClient } from '@wherry/client';
import { currentBoot } from '@wherry/linux';
import { silentLogger } from '@wherry/telemetry';
import { rolesOf } from '../layout/cluster.ts';
import type { NodeLayout, Role } from '../layout/layout.ts';
import { isRunning, type NodeRecord, readRecord, writeRecord } from '../layout/record.ts';
import { limits } from '../limits.ts';
import { ensurePki } from '../pki/ensure-pki.ts';
import type { CertificateFile } from '../pki/pki.ts';
import { programSign, roleProgram } from '../processes/bundle/program.ts';
import { endProcess } from '../processes/end-process.ts';
import { spawnRole } from '../processes/spawn-role.ts';
import { type Progress, silentProgress } from '../progress.ts';
import { takeAddress } from './address.ts';
import { makeFolders, pkiOptions, settleFiles, writeConfiguration, writeTracing } from './configure.ts';
import { serverOf, takeMembers } from './members.ts';
import { choosePorts, type NodeChoices, newRecord, refuseChanges } from './new-record.ts';
import { takeSettings } from './settings.ts';
import { waitForParts } from './wait-for-parts.ts';

/** Options of `startNode`. */
export interface StartOptions extends NodeChoices {
  /** How long the parts may take together to be ready. Default `limits.readyTimeoutMs`. */
  readyTimeoutMs?: number | undefined;
  /** Is told of each step. Default: nobody is. */
  progress?: Progress | undefined;
  /** Is called once others may join its cluster: its certificates are there, and its API server is on its way. */
  whenJoinable?: (() => void) | undefined;
  /** Gives the start up: it rejects with the signal's reason, and a node of which nothing was alive is ended again. */
  signal?: AbortSignal | undefined;
}

/** A node that is up. */
export interface StartedNode {
  record: NodeRecord;
  /** A client of the node's administrator; whoever started the node closes it. */
  client: KubeClient;
  /** Processes that this start brought up; the others were alive already. */
  started: Role[];
  /** False where its disk is full: its processes run, and nobody can tell whether it is Ready. */
  isReady: boolean;
}

/** What `startNode` does, for those who hold the node's lock. */
export async function bringUp(layout: NodeLayout, options: StartOptions): Promise<StartedNode> {
  const { readyTimeoutMs = limits.readyTimeoutMs, progress = silentProgress, signal } = options;
  const existing = readRecord(layout);
  refuseChanges(existing, options);
  const joins = existing ? existing.joins : options.joins?.dataDir;
  const ports = existing ?? (await choosePorts(layout, options));
  makeFolders(layout, { joins });
  const record = existing ?? newRecord(layout, options, ports);
  // The cluster may have been made anew, with another port.
  if (joins === undefined) await takeMembers(layout, record, options.members);
  else record.apiPort = serverOf(layout, joins).apiPort;
  await takeRegistryConfig(record, options.registryConfig);
  await takeSettings(record, options.settings);
  const roles = rolesOf(record);
  const missing = roles.filter((role) => !isRunning(record, role));
  const beganWithNone = missing.length === roles.length;
  if (beganWithNone) takeAddress(record);
  record.bootId = currentBoot();
  // Before there is a process that nobody would know of: from now on the record has room for all of them.
  writeRecord(layout, record);
  const program = await roleProgram(() =>
    progress.say('  its program is made of its sources, as at the first start and after each change of them'),
  );
  const sign = programSign(program);
  const begin = (role: Role) => {
    if (!missing.includes(role)) return;
    record.processes[role] = { ...spawnRole(role, layout, record, program), program: sign };
    writeRecord(layout, record, { outlivesMachine: false });
  };
  writeTracing(layout, record);
  const endOlder = async (role: Role) => {
    const running = record.processes[role];
    if (!running || missing.includes(role) || running.program === sign) return;
    await endProcess(running);
    missing.push(role);
  };
  // These two need no certificate: they load while the certificates are made. One after the other, since who watches
  // over a node takes it for ended when none of its processes is there.
  for (const role of ['monitor', 'runtime'] as const) {
    await endOlder(role);
    begin(role);
  }
  await Promise.all(roles.map(endOlder));
  await progress.run('certificates', async () => {
    const issued = await ensurePki(pkiOptions(layout, record));
    missing.push(...(await endOutdated(record, issued)));
    return describeIssued(issued.length);
  });
  writeConfiguration(layout, record);
  if (roles.includes('apiserver')) begin('apiserver');
  begin('kubelet');
  options.whenJoinable?.();
  const client = createKubeClient({ kubeconfig: layout.kubeconfig });
  let isReady: boolean;
  try {
    isReady = await waitForParts({
      layout,
      record,
      client,
      missing,
      progress,
      begin,
      readyTimeoutMs,
      signal,
    });
  } catch (error) {
    client.close();
    if (beganWithNone) await endAll(layout, record);
    throw error;
  }
  await settleFiles(layout, record);
  return { record, client, started: missing, isReady };
}

/** Takes another configuration of registries, once it was read without fault; the runtime starts anew, containers stay. */
async function takeRegistryConfig(record: NodeRecord, folder: string | undefined): Promise<void> {
  if (folder === undefined) return;
  const path = resolve(folder);
  const { RegistryConfig } = await import('@wherry/images');
  await new RegistryConfig(path).check(silentLogger);
  if (path === record.registryConfig) return;
  record.registryConfig = path;
  const { runtime } = record.processes;
  if (runtime && isRunning(record, 'runtime')) await endProcess(runtime);
}

/** A node of which nothing was alive before a start that failed is not left half up. */
async function endAll(layout: NodeLayout, record: NodeRecord): Promise<void> {
  await Promise.all(Object.values(record.processes).map(endProcess));
  record.processes = {};
  writeRecord(layout, record);
}

/** Processes that run with certificates which were just replaced are ended, to start anew; containers stay. */
async function endOutdated(record: NodeRecord, issued: readonly CertificateFile[]): Promise<Role[]> {
  const users: [Role, CertificateFile[]][] = [
    ['apiserver', ['apiserver', 'apiserver-kubelet-client', 'front-proxy-client']],
    ['controllers', ['controller-manager', 'scheduler']],
    ['network', ['network']],
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
