import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { plainTextAnswer } from '@wherry/upgrade';
import { ClientError } from '../errors.ts';
import type { PassedIdentity, PassedRequest, RendersErrors } from '../transport/passed-request.ts';
import { answerHeaders, requestHeaders } from './forwarded-headers.ts';

/** A request that a server of Node's got, HTTP/1.1 or HTTP/2, and where the answer goes. */
export interface PassedExchange
  extends PassedIdentity,
    RendersErrors,
    Pick<PassedRequest, 'path' | 'signal'> {
  request: IncomingMessage | Http2ServerRequest;
  /** What has been set on it goes along, but for headers that the answer has. */
  response: ServerResponse | Http2ServerResponse;
  /** The body, decoded, for who has read it already, such as a parser of bodies. Default: what `request` brings. */
  body?: Uint8Array | undefined;
}

/** What became of a request that was passed on. */
export interface PassedOutcome {
  /** Status code that the client saw; 0 when it left before. */
  statusCode: number;
  /** Null when the whole answer was handed over, whatever it says. */
  error: Error | null;
}

/**
 * Passes a request on by `pass` and its answer back, at the pace of who is slower; a client that leaves ends it. Answers
 * itself when there is none from the server; one that was torn in the middle is torn here, too. Never rejects.
 */
export async function passRequest(
  pass: (request: PassedRequest) => Promise<IncomingMessage>,
  { request, response, path, body, bringsCredentials, renderError, signal }: PassedExchange,
): Promise<PassedOutcome> {
  const gone = new AbortController();
  const leave = () => {
    if (!isTaken(response)) gone.abort(new Error('the client has gone'));
  };
  response.once('close', leave);
  if (response.destroyed || request.socket.destroyed) leave();
  const ending = signal ? AbortSignal.any([gone.signal, signal]) : gone.signal;
  const { method = 'GET' } = request;
  try {
    const headers = requestHeaders(request);
    if (body) {
      headers['content-length'] = body.length;
      delete headers['content-encoding'];
    }
    const sent = body ? Readable.from([body]) : bodyOf(request);
    const asked = { method, path, headers, body: sent, bringsCredentials, signal: ending };
    const answer = await pass(asked);
    response.statusCode = answer.statusCode ?? 502;
    if (!('stream' in response)) response.statusMessage = answer.statusMessage ?? '';
    for (const [name, value = ''] of Object.entries(answerHeaders(answer))) response.setHeader(name, value);
    (response as ServerResponse).flushHeaders();
    await pipeline(answer, response as ServerResponse, { signal: ending });
    return { statusCode: response.statusCode, error: null };
  } catch (thrown) {
    const error = ending.aborted ? (ending.reason as Error) : (thrown as Error);
    if (gone.signal.aborted) return { statusCode: response.headersSent ? response.statusCode : 0, error };
    // A body that ends early must not look whole.
    if (response.headersSent) response.destroy();
    else refuse(response, (renderError ?? plainTextAnswer)(statusOf(error), error.message));
    return { statusCode: response.statusCode, error };
  } finally {
    response.off('close', leave);
  }
}

/** Whether the client has the whole answer. A stream of HTTP/2 that was reset counts as finished for Node. */
const isTaken = (response: ServerResponse | Http2ServerResponse): boolean =>
  'stream' in response
    ? response.stream.writableFinished && !response.stream.aborted
    : response.writableFinished;

const statusOf = (error: Error): number =>
  error instanceof ClientError && error.code === 'bad-argument' ? 400 : 500;

/** What a request brings, undefined for nothing. Throws where somebody has read of it. */
function bodyOf(request: IncomingMessage | Http2ServerRequest): Readable | undefined {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
  const hasBody =
    'stream' in request ? !request.stream.endAfterHeaders : coding !== undefined || length !== '0';
  if (!hasBody) return undefined;
  if (request.readableDidRead)
    throw new Error(
      `the body of ${request.method} ${request.url} was read before it could be passed on: pass requests on before bodies are parsed, or hand over what was read as "body"`,
    );
  return request;
}

function refuse(
  response: ServerResponse | Http2ServerResponse,
  { statusCode, headers, body }: ReturnType<typeof plainTextAnswer>,
): void {
  for (const name of response.getHeaderNames()) if (/^content-/i.test(name)) response.removeHeader(name);
  response.statusCode = statusCode;
  if (!('stream' in response)) response.statusMessage = '';
  for (const [name, value] of headers) response.setHeader(name, value);
  response.end(body);
}
