import { type Clock, deadline } from '@wherry/clock';
import type { Container, HTTPGetAction } from '@wherry/kubeapi';
import { askHttp, type HttpAnswer } from './http-exchange.ts';
import { type HttpTarget, httpTarget } from './http-target.ts';
import { ProbeError, type ProbeOutcome } from './probe-outcome.ts';

/** Where an httpGet probe asks. */
export interface HttpProbeContext {
  podIp: string;
  container: Container;
  timeoutSeconds: number;
  clock: Clock;
}

const userAgent = 'kube-probe/1.36';

/**
 * Asks over HTTP: 200 to 299 is success. Redirects to the same host are followed; what else is between 300 and 399 is a
 * success with a warning. Throws {@link ProbeError} for a port that has no number, and when an answer breaks off after its head.
 */
export async function httpProbe(get: HTTPGetAction, context: HttpProbeContext): Promise<ProbeOutcome> {
  let target: HttpTarget;
  try {
    target = httpTarget(get, { ...context, userAgent });
  } catch (error) {
    throw new ProbeError((error as Error).message, { cause: error });
  }
  const { clock, timeoutSeconds } = context;
  using limit = deadline({ clock, timeoutMs: timeoutSeconds * 1_000, what: 'httpGet probe' });
  let answer: HttpAnswer;
  try {
    answer = await askHttp(target, limit.signal);
  } catch (error) {
    return { result: 'failure', output: (error as Error).message };
  }
  if (answer.bodyProblem !== undefined) throw new ProbeError(answer.bodyProblem, { state: 'failure' });
  return judge(answer);
}

function judge({ statusCode, body }: HttpAnswer): ProbeOutcome {
  if (statusCode >= 200 && statusCode < 300) return { result: 'success', output: body };
  if (statusCode >= 300 && statusCode < 400)
    return { result: 'warning', output: `Probe terminated redirects, Response body: ${body}` };
  return { result: 'failure', output: `HTTP probe failed with statuscode: ${statusCode}` };
}
