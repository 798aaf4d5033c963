import http from 'node:http';
import https from 'node:https';
import { type Clock, sleep } from '@wherry/clock';
import type { CriClient } from '@wherry/cri';
import type { LifecycleHandler } from '@wherry/kubeapi';
import type { PodContainer } from '../../pod/containers.ts';
import { httpTarget } from '../probes/http-target.ts';

/** What a hook is run with. */
export interface HookContext {
  runtime: CriClient['runtime'];
  clock: Clock;
  target: PodContainer;
  containerId: string;
  podIp: string;
  signal: AbortSignal;
}

/** Runs a postStart or preStop handler to its end. Throws when it fails, in upstream's words. */
export async function runHook(handler: LifecycleHandler, context: HookContext): Promise<void> {
  const { clock, signal, containerId } = context;
  if (handler.exec) return runExec(handler.exec.command ?? [], context);
  if (handler.httpGet) return runHttp(handler.httpGet, context);
  if (handler.sleep) return sleep({ clock, delayMs: handler.sleep.seconds * 1_000, signal });
  throw new Error(`invalid handler: ${Object.keys(handler).join(', ') || 'none'} (container ${containerId})`);
}

async function runExec(command: string[], { runtime, containerId, signal }: HookContext): Promise<void> {
  const answer = await runtime.execSync({ containerId, cmd: command, timeout: 0 }, { signal });
  if (answer.exitCode === 0) return;
  const output = Buffer.concat([answer.stdout, answer.stderr]).toString('utf8');
  throw new Error(`command '${command.join(' ')}' exited with ${answer.exitCode}: ${output}`);
}

function runHttp(get: NonNullable<LifecycleHandler['httpGet']>, context: HookContext): Promise<void> {
  const { url, headers } = httpTarget(get, {
    podIp: context.podIp,
    container: context.target.container,
    userAgent: 'kube-lifecycle/1.36',
  });
  const client = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const options = { headers, agent: false, signal: context.signal, rejectUnauthorized: false };
    const request = client.get(url, options, (response) => {
      response.resume();
      response.once('close', () => resolve());
    });
    request.once('error', reject);
  });
}
