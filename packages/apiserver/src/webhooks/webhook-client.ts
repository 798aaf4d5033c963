import type { ClientRequest, IncomingMessage } from 'node:http';
import { type Agent, request as httpsRequest } from 'node:https';
import { orAborted } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import { isJsonObject, type JsonValue, type WebhookClientConfig } from '@wherry/kubeapi';
import { dialFailure } from '../dialing/dial-failure.ts';
import { httpsAgent } from '../dialing/dialled-agents.ts';
import { type NamedServer, NamesakeCertificates } from '../dialing/namesake-certificates.ts';
import { readTextWithin } from '../dialing/read-text.ts';
import { limits } from '../limits.ts';
import { type TargetSources, type WebhookTarget, webhookTarget } from './webhook-target.ts';
import type { WebhookIdentity, WebhookUsers } from './webhook-users.ts';

/** What a webhook is asked. */
export interface WebhookCall {
  config: WebhookClientConfig;
  /** JSON. */
  body: string;
  /** The answer is there by then, or the call fails. */
  timeoutMs: number;
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal | undefined;
  /** As whom it is asked. Absent: as nobody. */
  users?: WebhookUsers | undefined;
}

/** One that is on its way. */
interface Sending {
  config: WebhookClientConfig;
  body: string;
  identity: WebhookIdentity;
  signal: AbortSignal;
}

/** Asks webhooks over kept connections. */
export class WebhookClient {
  readonly #sources: TargetSources;
  readonly #clock: Clock;
  readonly #namesakes: NamesakeCertificates;
  /** Of those behind services, and of those at URLs: the two may be led differently. */
  readonly #agents: Record<'service' | 'url', Agent>;

  constructor(sources: TargetSources, clock: Clock) {
    this.#sources = sources;
    this.#clock = clock;
    this.#namesakes = new NamesakeCertificates(clock);
    const keepAlive = { keepAlive: true, maxFreeSockets: limits.idleWebhookSocketsMax };
    this.#agents = {
      service: httpsAgent(keepAlive, sources.cluster?.dial),
      url: httpsAgent(keepAlive, sources.controlPlane?.dial),
    };
  }

  /** The text of the answer. Throws an Error in upstream's words when there is none in time, or it is a refusal. */
  async call({ config, body, timeoutMs, signal, users }: WebhookCall): Promise<string> {
    const late = new AbortController();
    const timer = this.#clock.after(timeoutMs, () => late.abort(new Error('context deadline exceeded')));
    const until = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
    const seconds = Math.ceil(timeoutMs / 1000);
    try {
      until.throwIfAborted();
      const target = await orAborted(webhookTarget(config, this.#sources, until), until);
      const title = `Post ${JSON.stringify(`${target.shownUrl}?timeout=${seconds}s`)}`;
      target.url.search = `timeout=${seconds}s`;
      try {
        const identity = (await users?.identityFor(hostOf(target))) ?? { headers: {} };
        return await this.#post(target, { config, body, identity, signal: until });
      } catch (error) {
        if (error instanceof Refusal) throw error;
        const reason: unknown = until.aborted ? until.reason : error;
        throw new Error(`${title}: ${reason instanceof Error ? dialFailure(reason) : String(reason)}`, {
          cause: error,
        });
      }
    } finally {
      timer.cancel();
    }
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  /** Once more when a kept connection turns out to be closed, or a certificate to be good: the webhook has not seen the request. */
  async #post(target: WebhookTarget, call: Sending): Promise<string> {
    const first = await this.#send(target, call).catch(async (error: unknown) => {
      if (error instanceof StaleConnection) return undefined;
      const { config, signal } = call;
      const bundle = bundleOf(config);
      if (bundle && (await this.#namesakes.learn(error, this.#serverOf(target, config), bundle, signal)))
        return undefined;
      throw error;
    });
    const answer = first ?? (await this.#send(target, call));
    return readAnswer(answer);
  }

  #serverOf({ url, servername }: WebhookTarget, { service }: WebhookClientConfig): NamedServer {
    const { cluster, controlPlane } = this.#sources;
    const { dial } = (service ? cluster : controlPlane) ?? {};
    return { host: url.hostname, port: Number(url.port || 443), servername, dial };
  }

  #send(target: WebhookTarget, { config, body, identity, signal }: Sending): Promise<IncomingMessage> {
    const { cert, key } = identity;
    const { url, host, servername } = target;
    const bundle = bundleOf(config);
    const ca = bundle && this.#namesakes.bundleFor(this.#serverOf(target, config), bundle);
    return new Promise((resolve, reject) => {
      const outgoing: ClientRequest = httpsRequest(
        url,
        {
          ...{ method: 'POST', agent: this.#agents[config.service ? 'service' : 'url'], signal },
          // A bundle may be the webhook's own certificate, as envtest writes it: Go trusts whatever is in it.
          ...(ca === undefined ? {} : { ca, allowPartialTrustChain: true }),
          ...(servername === undefined ? {} : { servername }),
          ...(cert === undefined || key === undefined ? {} : { cert, key }),
          headers: {
            ...identity.headers,
            ...{ host, accept: 'application/json, */*', 'user-agent': 'kube-apiserver-admission' },
            ...{ 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
          },
        },
        resolve,
      );
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        const isStale = outgoing.reusedSocket && error.code === 'ECONNRESET' && !signal.aborted;
        reject(isStale ? new StaleConnection(error.message, { cause: error }) : error);
      });
      outgoing.end(body);
    });
  }
}

const bundleOf = ({ caBundle }: WebhookClientConfig): string | undefined =>
  caBundle ? Buffer.from(caBundle, 'base64').toString() : undefined;

/** As kubeconfigs name it. */
const hostOf = ({ host, url }: WebhookTarget): string =>
  url.port === '' && !/:\d+$/.test(host) ? `${host}:443` : host;

class StaleConnection extends Error {}

/** The webhook has answered, and not with what it was asked for. */
class Refusal extends Error {}

async function readAnswer(answer: IncomingMessage): Promise<string> {
  const text = await readTextWithin(answer, limits.webhookAnswerBytesMax);
  if (text === undefined)
    throw new Refusal(`the answer is longer than ${limits.webhookAnswerBytesMax} bytes`);
  const { statusCode: code = 0 } = answer;
  // Nobody is sent elsewhere: where a redirect leads has not been checked.
  if (code < 200 || code > 299) throw new Refusal(refusalText(code, text, answer.headers['content-type']));
  return text;
}

/** Whether a person could read an answer of that type. */
const isText = (type: string | undefined) => !type || /^\s*text\//i.test(type);

/** As upstream's client words it, which shows nobody what is no text. */
function refusalText(code: number, text: string, type: string | undefined): string {
  const said = messageOf(text);
  if (said !== undefined) return said;
  if (code === 404) return 'the server could not find the requested resource';
  if (code === 503) return 'the server is currently unable to handle the request';
  if (code >= 500) {
    const shown = JSON.stringify(
      isText(type) ? text.trim().slice(0, limits.webhookErrorCharactersMax) : 'unknown',
    );
    return `an error on the server (${shown}) has prevented the request from succeeding`;
  }
  return `the server responded with the status code ${code} but did not return more information`;
}

/** Of a Status. */
function messageOf(text: string): string | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    if (!isJsonObject(value) || value['kind'] !== 'Status') return undefined;
    return typeof value['message'] === 'string' ? value['message'] : undefined;
  } catch {
    return undefined;
  }
}
