import http from 'node:http';
import https from 'node:https';
import { type Clock, deadline } from '@wherry/clock';
import type { Container, HTTPGetAction } from '@wherry/kubeapi';
import { probeOutputBytesMax } from '../../limits.ts';
import { dialError } from './dial-error.ts';
import { type HttpHeaders, httpTarget } from './http-target.ts';
import { ProbeError, type ProbeOutcome } from './probe-outcome.ts';

/** Where an httpGet probe asks. */
export interface HttpProbeContext {
  podIp: string;
  container: Container;
  timeoutSeconds: number;
  clock: Clock;
}

interface Answer {
  statusCode: number;
  location: string | undefined;
  body: string;
}

/** As Go's client has it: the tenth one is not followed. */
const redirectsMax = 10;
/** Statuses by which Go's client is led elsewhere. */
const redirecting: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const userAgent = 'kube-probe/1.36';

/**
 * Asks over HTTP: 200 to 299 is success. Redirects to the same host are followed; what else is between 300 and 399 is a
 * success with a warning.
 */
export async function httpProbe(get: HTTPGetAction, context: HttpProbeContext): Promise<ProbeOutcome> {
  let target: ReturnType<typeof httpTarget>;
  try {
    target = httpTarget(get, { ...context, userAgent });
  } catch (error) {
    throw new ProbeError((error as Error).message, { cause: error });
  }
  using limit = deadline({
    clock: context.clock,
    timeoutMs: context.timeoutSeconds * 1_000,
    what: 'httpGet probe',
  });
  const { signal } = limit;
  let { url, headers } = target;
  try {
    for (let redirects = 0; redirects < redirectsMax; redirects += 1) {
      const answer = await ask(url, headers, signal);
      const next = redirectOf(answer, url);
      if (next?.hostname !== url.hostname) return judge(answer);
      url = next;
      if (URL.canParse(answer.location ?? '')) headers = withoutHost(headers);
    }
    return { result: 'failure', output: `Get "${target.url.href}": stopped after ${redirectsMax} redirects` };
  } catch (error) {
    const why = signal.aborted
      ? 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)'
      : dialError(error as Error, url.hostname, url.port);
    return { result: 'failure', output: `Get "${url.href}": ${why}` };
  }
}

/** A redirect to a whole URL says its host anew, as Go's client has it. */
function withoutHost({ host: _, ...others }: HttpHeaders): HttpHeaders {
  return others;
}

function redirectOf({ statusCode, location }: Answer, url: URL): URL | undefined {
  return location && redirecting.has(statusCode) ? new URL(location, url) : undefined;
}

function judge({ statusCode, body }: Answer): ProbeOutcome {
  if (statusCode >= 200 && statusCode < 300) return { result: 'success', output: body };
  if (statusCode >= 300 && statusCode < 400)
    return { result: 'warning', output: `Probe terminated redirects, Response body: ${body}` };
  return { result: 'failure', output: `HTTP probe failed with statuscode: ${statusCode}` };
}

function ask(url: URL, headers: HttpHeaders, signal: AbortSignal): Promise<Answer> {
  const client = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const request = client.get(
      url,
      { headers, agent: false, signal, rejectUnauthorized: false },
      (response) => {
        const chunks: Buffer[] = [];
        let length = 0;
        response.on('data', (chunk: Buffer) => {
          if (length < probeOutputBytesMax) chunks.push(chunk);
          length += chunk.length;
          if (length >= probeOutputBytesMax) response.destroy();
        });
        response.once('close', () => {
          const body = Buffer.concat(chunks).subarray(0, probeOutputBytesMax).toString('utf8');
          resolve({ statusCode: response.statusCode ?? 0, location: response.headers.location, body });
        });
      },
    );
    request.once('error', reject);
  });
}
