import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '@wherry/clock';
import { badRequest, StatusError } from '@wherry/kubeapi';
import { proxyUpgrade } from '@wherry/upgrade';
import type { UserInfo } from '../authentication/identity.ts';
import { forwardedHeaders } from '../dialing/forwarded-headers.ts';
import { isLongRunning } from '../flow/long-running.ts';
import { isShared } from '../http/carrier.ts';
import { errorAnswer } from '../http/error-answer.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { periods } from '../limits.ts';
import type { Wire } from '../registry/handler.ts';
import { type ExtensionClient, identityHeaders } from './extension-client.ts';
import type { Extension } from './extensions.ts';

/** A request that this server has let pass, and that another answers. */
export interface ExtensionRequest {
  info: RequestInfo;
  user: UserInfo;
  http: IncomingMessage;
  signal: AbortSignal;
}

/** Leads requests to extension servers and their answers back, as they are: watches and upgrades too. */
export class ExtensionProxy {
  readonly #client: ExtensionClient;
  readonly #clock: Clock;

  constructor(client: ExtensionClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** Throws 502 on an answer that leads elsewhere, 503 when there is none, 504 when it comes late. */
  async serve(extension: Extension, request: ExtensionRequest, wire: Wire): Promise<void> {
    const { http, user, signal } = request;
    const [path = '/', search = ''] = (http.url ?? '/').split(/\?(.*)/s);
    const target = await this.#client.locate(extension, { path: plainPath(path), search }, signal);
    const identity = identityHeaders(user);
    if (wire.exchange) {
      const { url, tls, host } = target;
      const connect = this.#client.connecting(target, signal);
      const backend = { url, tls, connect, headers: { host, ...identity } };
      await proxyUpgrade({ ...wire.exchange, backend, renderError: errorAnswer, signal });
      return;
    }
    const late = new AbortController();
    const timer = isLongRunning(request.info)
      ? undefined
      : this.#clock.after(periods.extensionAnswerMs, () => late.abort(tooLate()));
    try {
      const answer = await this.#client.send(target, {
        method: http.method ?? 'GET',
        headers: { ...forwardedHeaders(http), ...identity },
        signal: AbortSignal.any([signal, late.signal]),
        body: (outgoing, fail) => void pipeline(http, outgoing).catch(fail),
      });
      timer?.cancel();
      await relay(answer, wire.response(), request);
    } catch (error) {
      throw late.signal.aborted ? late.signal.reason : error;
    } finally {
      timer?.cancel();
    }
  }
}

/** Decoded. What has been allowed is what is asked for: no segment leads out of its place. Throws 400. */
function plainPath(path: string): string {
  const segments = path.split('/').map(decodeURIComponent);
  const bad = segments.find((segment) => /^\.\.?$|[/\\]/.test(segment));
  if (bad !== undefined) throw badRequest(`the path has ${JSON.stringify(bad)} for a segment`);
  return segments.join('/');
}

/** Connection, length and encoding of one hop are that hop's; an answer's own form stays. */
const hopHeader = /^(connection|keep-alive|proxy-connection|upgrade|trailer)$/;

async function relay(
  answer: IncomingMessage,
  response: ServerResponse,
  { http, signal }: ExtensionRequest,
): Promise<void> {
  const { statusCode: code = 502, headers } = answer;
  if (code >= 300 && code < 400 && code !== 304) {
    answer.destroy();
    const message = 'the extension server has sent this request elsewhere, which is not followed';
    throw new StatusError({ code: 502, reason: 'Unknown', message });
  }
  const kept = Object.entries(headers).filter(([name]) => !hopHeader.test(name));
  const own = Object.fromEntries(kept);
  // HTTP/2 has frames for that.
  if (isShared(http)) delete own['transfer-encoding'];
  response.writeHead(code, own);
  response.flushHeaders();
  await pipeline(answer, response, { signal }).catch(() => response.destroy());
}

const tooLate = () =>
  new StatusError({ code: 504, reason: 'Timeout', message: 'the extension server has not answered in time' });
