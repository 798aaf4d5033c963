import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { probeHeadBytesMax, probeOutputBytesMax } from '../../limits.ts';
import { exchangeError } from './exchange-error.ts';
import { hostPort } from './host-port.ts';
import type { HttpHeaders, HttpTarget } from './http-target.ts';

/** What was answered in the end. */
export interface HttpAnswer {
  statusCode: number;
  location: string | undefined;
  /** As much of it as a probe keeps. */
  body: string;
  /** Why it ended before it was whole, in the words of Go's client; undefined when it did not. */
  bodyProblem: string | undefined;
}

/** As Go's client has it: the tenth one is not followed. */
const redirectsMax = 10;
const bodyTimeout = 'context deadline exceeded (Client.Timeout or context cancellation while reading body)';
/** Statuses by which Go's client is led elsewhere. */
const redirecting: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * The answer to a GET, of whoever has whatever certificate. Redirects to the same host are followed, one to another host is the
 * answer. Throws in the words of Go's client, which users know.
 */
export async function askHttp(target: HttpTarget, signal: AbortSignal): Promise<HttpAnswer> {
  let { url, path, headers } = target;
  for (let redirects = 0; redirects < redirectsMax; redirects += 1) {
    const answer = await ask({ url, path, headers }, signal);
    const next = nextOf(answer, { url, path, headers });
    if (next?.hostname !== url.hostname) return answer;
    url = next;
    path = next.pathname + next.search;
    if (URL.canParse(answer.location ?? '')) headers = withoutHost(headers);
  }
  throw new Error(`Get "${shown(target)}": stopped after ${redirectsMax} redirects`);
}

/** A redirect to a whole URL says its host anew, as Go's client has it. */
function withoutHost({ host: _, ...others }: HttpHeaders): HttpHeaders {
  return others;
}

function nextOf({ statusCode, location }: HttpAnswer, asked: HttpTarget): URL | undefined {
  const { url } = asked;
  if (!location || !redirecting.has(statusCode)) return undefined;
  if (!URL.canParse(location, url.href))
    throw new Error(`Get "${shown(asked)}": failed to parse Location header ${JSON.stringify(location)}`);
  return new URL(location, url);
}

async function ask(target: HttpTarget, signal: AbortSignal): Promise<HttpAnswer> {
  try {
    return await exchange(target, signal);
  } catch (error) {
    throw new Error(`Get "${shown(target)}": ${why(error as Error, target.url, signal)}`, { cause: error });
  }
}

const portOf = ({ port, protocol }: URL) => port || (protocol === 'https:' ? '443' : '80');

/** Host and port of a URL, whichever that is. */
export function authorityOf(url: URL): string {
  return hostPort(url.hostname, portOf(url));
}

function shown({ url, path }: HttpTarget): string {
  return `${url.protocol}//${authorityOf(url)}${path}`;
}

function why(error: Error, url: URL, signal: AbortSignal): string {
  if (signal.aborted) return 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
  return exchangeError(error, url.hostname, portOf(url));
}

/** Headers as Go's client sends them: servers that look for `User-Agent` as it is written find it, and texts are UTF-8. */
function asGoWrites(headers: HttpHeaders): HttpHeaders {
  const names = Object.entries(headers).map(
    ([name, value]) =>
      [
        name.replace(/(^|-)[a-z]/g, (letters) => letters.toUpperCase()),
        Array.isArray(value) ? value.map(inBytes) : inBytes(value),
      ] as const,
  );
  return Object.fromEntries(names);
}

/** Node sends a byte for each character. */
const inBytes = (text: string) => Buffer.from(text).toString('latin1');

function exchange({ url, path, headers }: HttpTarget, signal: AbortSignal): Promise<HttpAnswer> {
  const client = url.protocol === 'https:' ? https : http;
  // By TLS a server is called what the URL says, whatever the header Host does; an address is no name.
  const servername = isIP(url.hostname.replace(/^\[|\]$/g, '')) ? '' : url.hostname;
  // Go's client, too, takes lines without CR and the like, which small servers write.
  const parsing = { insecureHTTPParser: true, maxHeaderSize: probeHeadBytesMax };
  const options = { path, headers: asGoWrites(headers), agent: false, signal, ...parsing };
  return new Promise((resolve, reject) => {
    const request = client.get(url, { ...options, rejectUnauthorized: false, servername }, (response) => {
      request.off('error', reject);
      request.on('error', () => {});
      resolve(readAnswer(response, signal));
    });
    request.once('upgrade', ({ statusCode = 0 }: IncomingMessage, socket: Duplex) => {
      socket.destroy();
      resolve({ statusCode, location: undefined, body: '', bodyProblem: undefined });
    });
    request.once('error', reject);
    request.once('close', () => reject(new Error('EOF')));
  });
}

/** The rest of an answer whose head is there. */
function readAnswer(response: IncomingMessage, signal: AbortSignal): Promise<HttpAnswer> {
  const { statusCode = 0, headers } = response;
  const chunks: Buffer[] = [];
  let length = 0;
  response.on('data', (chunk: Buffer) => {
    if (length < probeOutputBytesMax) chunks.push(chunk);
    length += chunk.length;
    if (length >= probeOutputBytesMax) response.destroy();
  });
  return new Promise((resolve) => {
    response.once('close', () => {
      const body = Buffer.concat(chunks).subarray(0, probeOutputBytesMax).toString('utf8');
      const isEnough = response.complete || length >= probeOutputBytesMax;
      const bodyProblem = isEnough ? undefined : signal.aborted ? bodyTimeout : 'unexpected EOF';
      resolve({ statusCode, location: headers.location, body, bodyProblem });
    });
  });
}
