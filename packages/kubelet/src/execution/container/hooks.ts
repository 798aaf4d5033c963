import { type Clock, sleep } from '@wherry/clock';
import type { CriClient } from '@wherry/cri';
import type { LifecycleHandler } from '@wherry/kubeapi';
import type { Counter, MetricsRegistry } from '@wherry/telemetry';
import { describe } from '../../ground/describe-error.ts';
import { type AssignedPod, describeWithUid } from '../../pod/assigned-pod.ts';
import type { PodContainer } from '../../pod/containers.ts';
import { type EventRecorder, podEvents } from '../../reporting/events/recorder.ts';
import { isPlainAnswer } from '../probes/exchange-error.ts';
import { askHttp, authorityOf } from '../probes/http-exchange.ts';
import { httpTarget } from '../probes/http-target.ts';

/** What a hook is run with. */
export interface HookContext {
  runtime: CriClient['runtime'];
  clock: Clock;
  recorder: EventRecorder;
  figures: HookFigures;
  pod: AssignedPod;
  target: PodContainer;
  containerId: string;
  podIp: string;
  signal: AbortSignal;
}

/** What is counted of hooks. */
export interface HookFigures {
  /** HTTPS hooks whose servers have no TLS, and answered without it. */
  fallbacks: Counter;
  /** Pauses that their containers did not outlive. */
  cutShort: Counter;
}

/** Families of upstream's names. */
export function hookFigures(metrics: MetricsRegistry): HookFigures {
  return {
    fallbacks: metrics.plainCounter(
      'kubelet_lifecycle_handler_http_fallbacks_total',
      'HTTPS hooks that were answered without TLS.',
    ),
    cutShort: metrics.plainCounter(
      'kubelet_sleep_action_terminated_early_total',
      'Pauses of hooks that ended with their container.',
    ),
  };
}

/** Runs a postStart or preStop handler to its end. Throws when it fails, in upstream's words. */
export async function runHook(handler: LifecycleHandler, context: HookContext): Promise<void> {
  const { clock, signal, containerId, target, pod, figures } = context;
  const where = `for Container "${target.container.name}" in Pod "${describeWithUid(pod)}"`;
  try {
    if (handler.exec) return await runExec(handler.exec.command ?? [], context);
    if (handler.httpGet) return await runHttp(handler.httpGet, context);
    if (handler.sleep) return await sleep({ clock, delayMs: handler.sleep.seconds * 1_000, signal });
  } catch (error) {
    if (signal.aborted) {
      if (handler.sleep) figures.cutShort.add(1);
      throw error;
    }
    throw new Error(`${titleOf(handler)} ${where} failed - error: ${describe(error)}`, { cause: error });
  }
  const kind = Object.keys(handler).join(', ') || 'none';
  throw new Error(`Cannot run handler: invalid handler: ${kind} (container ${containerId})`);
}

function titleOf({ exec, httpGet, sleep: pause }: LifecycleHandler): string {
  if (exec) return `Exec lifecycle hook ([${(exec.command ?? []).join(' ')}])`;
  return httpGet ? `HTTP lifecycle hook (${httpGet.path ?? ''})` : `Sleep lifecycle hook (${pause?.seconds})`;
}

async function runExec(command: string[], { runtime, containerId, signal }: HookContext): Promise<void> {
  let output = '';
  try {
    const answer = await runtime.execSync({ containerId, cmd: command, timeout: 0 }, { signal });
    if (answer.exitCode === 0) return;
    output = Buffer.concat([answer.stdout, answer.stderr]).toString('utf8');
    const complaint = Buffer.from(answer.stderr).toString('utf8');
    throw new Error(`command '${command.join(' ')}' exited with ${answer.exitCode}: ${complaint}`);
  } catch (error) {
    throw new Error(`${describe(error)}, message: ${JSON.stringify(output)}`, { cause: error });
  }
}

/** Whatever is answered will do. A server that has no TLS is asked without it. */
async function runHttp(get: NonNullable<LifecycleHandler['httpGet']>, context: HookContext): Promise<void> {
  const { recorder, pod, podIp, target, signal, figures } = context;
  const userAgent = 'kube-lifecycle/1.36';
  const asked = httpTarget(get, { podIp, container: target.container, userAgent });
  try {
    await askHttp(asked, signal);
  } catch (error) {
    if (!isPlainAnswer(error)) throw error;
    const { authorization: _, ...headers } = asked.headers;
    const plain = httpTarget({ ...get, scheme: 'HTTP' }, { podIp, container: target.container, userAgent });
    await askHttp({ ...plain, headers }, signal).catch(() => {
      throw error;
    });
    figures.fallbacks.add(1);
    const message = `request to HTTPS lifecycle hook ${authorityOf(asked.url)} got HTTP response, retry with HTTP succeeded`;
    podEvents(recorder, pod).warn('LifecycleHTTPFallback', message);
  }
}
