import { type Clock, sleep } from '@wherry/clock';
import type { CriClient } from '@wherry/cri';
import type { LifecycleHandler } from '@wherry/kubeapi';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { PodContainer } from '../../pod/containers.ts';
import { type EventRecorder, podEvents } from '../../reporting/events/recorder.ts';
import { askHttp, isPlainAnswer } from '../probes/http-exchange.ts';
import { httpTarget } from '../probes/http-target.ts';

/** What a hook is run with. */
export interface HookContext {
  runtime: CriClient['runtime'];
  clock: Clock;
  recorder: EventRecorder;
  pod: AssignedPod;
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

/** Whatever is answered will do. A server that has no TLS is asked without it. */
async function runHttp(get: NonNullable<LifecycleHandler['httpGet']>, context: HookContext): Promise<void> {
  const { recorder, pod, podIp, target, signal } = context;
  const userAgent = 'kube-lifecycle/1.36';
  const { url, headers } = httpTarget(get, { podIp, container: target.container, userAgent });
  try {
    await askHttp({ url, headers }, signal);
  } catch (error) {
    if (!isPlainAnswer(error)) throw error;
    const { authorization: _, ...others } = headers;
    const plain = httpTarget({ ...get, scheme: 'HTTP' }, { podIp, container: target.container, userAgent });
    await askHttp({ url: plain.url, headers: others }, signal).catch(() => {
      throw error;
    });
    const message = `request to HTTPS lifecycle hook ${url.host} got HTTP response, retry with HTTP succeeded`;
    podEvents(recorder, pod).warn('LifecycleHTTPFallback', message);
  }
}
