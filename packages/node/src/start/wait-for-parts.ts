import type { KubeClient } from '@wherry/client';
import { sleep, systemClock } from '@wherry/clock';
import { hasAddons, installAddons } from '../addons/install-addons.ts';
import { describeNewNode } from '../addons/new-node.ts';
import { NodeError } from '../errors.ts';
import { rolesOf, serverLayout } from '../layout/cluster.ts';
import { isFull } from '../layout/full-disk.ts';
import { layoutOf, type NodeLayout, type Role } from '../layout/layout.ts';
import { isRunning, type NodeRecord } from '../layout/record.ts';
import { limits } from '../limits.ts';
import { logTail } from '../processes/log-tail.ts';
import {
  apiIsReady,
  dnsAnswers,
  hasDefaultAccount,
  portAnswers,
  readNode,
  readyCondition,
  socketAnswers,
} from '../processes/probes.ts';
import type { Progress } from '../progress.ts';
import { serverOf } from './members.ts';

/** What is waited for, and what is needed to look at it. */
export interface Waiting {
  layout: NodeLayout;
  record: NodeRecord;
  client: KubeClient;
  missing: readonly Role[];
  progress: Progress;
  /** Starts a process if it is missing. */
  begin(role: Role): void;
  readyTimeoutMs: number;
  signal: AbortSignal | undefined;
}

/**
 * Resolves once each process answers and the node is Ready: with false where nobody can tell that, since the disk is full and
 * takes no status. Throws `NodeError` with the end of the log of a process that died or is late, and the signal's reason.
 */
export async function waitForParts(waiting: Waiting): Promise<boolean> {
  const { layout, record, client, missing, progress, begin, readyTimeoutMs, signal } = waiting;
  const startedMs = systemClock.nowMs();
  const deadline = systemClock.monotonicMs() + readyTimeoutMs;
  const pause = () => sleep({ clock: systemClock, delayMs: limits.readyPollMs, signal });
  const poll = async (role: Role, isReady: () => Promise<boolean>, needed: readonly Role[] = [role]) => {
    while (!(await isReady())) {
      const dead = needed.find((each) => !isRunning(record, each));
      if (dead) throw died(dead, layout);
      if (systemClock.monotonicMs() > deadline) throw tooSlow(role, layout, readyTimeoutMs);
      await pause();
    }
  };
  const until = (role: Role, isReady: () => Promise<boolean>) =>
    progress.run(role, async () => {
      await poll(role, isReady);
      return `${missing.includes(role) ? 'started' : 'was running'}, pid ${record.processes[role]?.pid}`;
    });
  await until('monitor', () => socketAnswers(layout.monitorSocket));
  await until('runtime', () => socketAnswers(layout.criSocket));
  if (record.joins === undefined) {
    await until('apiserver', () => apiIsReady(client));
    // They have nothing to do before, and would only take time from the others.
    begin('controllers');
    await until('controllers', async () => isRunning(record, 'controllers'));
  } else {
    // The node that serves the cluster may have been started at the same time.
    const { joins } = record;
    while (!(await hasAddons(client))) {
      serverOf(layout, joins);
      if (systemClock.monotonicMs() > deadline) throw tooSlow('apiserver', layoutOf(joins), readyTimeoutMs);
      await pause();
    }
  }
  await installAddons(client, record);
  begin('network');
  await until('kubelet', () => portAnswers(record.kubeletPort));
  await until('network', () => dnsAnswers(record));
  const { dataDir } = serverLayout(layout, record);
  if (isFull(dataDir)) {
    progress.say(
      `  ! node Ready     nobody knows: the disk of "${dataDir}" is full, so the API server takes no writes; make room there`,
    );
    return false;
  }
  await progress.run('node Ready', async () => {
    const notBefore = missing.includes('kubelet') ? Math.floor(startedMs / 1000) * 1000 : 0;
    const roles = rolesOf(record);
    await poll('kubelet', () => nodeIsReady(client, record.name, notBefore), roles);
    // Who is told that the node is there makes pods at once.
    await poll('controllers', () => hasDefaultAccount(client), roles);
    await describeNewNode(client, record);
    return record.name;
  });
  return true;
}

/** A Ready condition that was written before this kubelet started says nothing about it. */
async function nodeIsReady(client: KubeClient, name: string, notBeforeMs: number): Promise<boolean> {
  const ready = readyCondition(await readNode(client, name));
  return ready?.status === 'True' && Date.parse(ready.lastHeartbeatTime ?? '') >= notBeforeMs;
}

function died(role: Role, layout: NodeLayout): NodeError {
  const log = layout.logFile(role);
  return new NodeError(
    'process-ended',
    `${role} ended while starting; the end of "${log}":\n${logTail(log)}`,
  );
}

function tooSlow(role: Role, layout: NodeLayout, timeoutMs: number): NodeError {
  const log = layout.logFile(role);
  const seconds = timeoutMs / 1000;
  return new NodeError(
    'not-ready',
    `${role} was not ready after ${seconds} s (--ready-timeout); the end of "${log}":\n${logTail(log)}`,
  );
}
