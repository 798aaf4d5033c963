import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StatusError } from '@wherry/kubeapi';
import { proxyUpgrade, type UpgradeExchange } from '@wherry/upgrade';
import { backendUrl } from '../dialing/backend-url.ts';
import { dialFailure } from '../dialing/dial-failure.ts';
import { connectBy } from '../dialing/dialled-agents.ts';
import { forwardedHeaders } from '../dialing/forwarded-headers.ts';
import { isShared } from '../http/carrier.ts';
import { errorAnswer } from '../http/error-answer.ts';
import type { ResourceRequest } from '../requests/request.ts';
import { admitConnect } from './admit-connect.ts';
import { authorizeCreate } from './authorize-create.ts';
import { linkStreams } from './proxy-links/link-streams.ts';
import { rewriteUrl } from './proxy-links/rewrite-url.ts';
import { type ProxyTarget, type ProxyTargetOptions, proxyTarget } from './proxy-target.ts';

/** Any method of `pods|services|nodes/NAME/proxy/PATH`, upgrades too. */
export async function serveProxy(
  options: ProxyTargetOptions,
  request: ResourceRequest,
  wire: { response(): ServerResponse; exchange: UpgradeExchange | undefined },
): Promise<void> {
  // The kubelet would see this server's rights: with its exec, a GET is enough to run what one likes.
  if (wire.exchange && request.info.resource === 'nodes') await authorizeCreate(options.authorizer, request);
  await admitConnect(options.pods.admission, request);
  const target = await proxyTarget(options, request);
  const [path = '', search = ''] = (request.http.url ?? '').split(/\?(.*)/s);
  const url = backendUrl(target.backend, request.info.tail || '/', search);
  if (wire.exchange) {
    const { tls, way } = target;
    const backend = { url, tls, connect: connectBy(way, { url, tls, signal: request.signal }) };
    await proxyUpgrade({ ...wire.exchange, backend, renderError: errorAnswer, signal: request.signal });
    return;
  }
  const { method = '' } = request.http;
  if (request.info.tail === '' && (method === 'GET' || method === 'HEAD')) {
    // Relative links of the backend's first page would lead beside it, as upstream.
    const location = search === '' ? `${path}/` : `${path}/?${search}`;
    wire.response().writeHead(301, { location }).end();
    return;
  }
  const answer = await forward(url, target, request);
  await relay(answer, wire.response(), { url, request });
}

function forward(url: URL, { tls, way }: ProxyTarget, request: ResourceRequest): Promise<IncomingMessage> {
  const { http, signal } = request;
  const headers = forwardedHeaders(http);
  // Upstream's client, too, takes lines without CR and the like, which small servers write.
  const agent = url.protocol === 'https:' ? way?.https : way?.http;
  const options = { method: http.method, headers, signal, agent, insecureHTTPParser: true, ...tls };
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const outgoing: ClientRequest = send(url, options, resolve);
    outgoing.on('error', (error) => reject(unreachable(error)));
    outgoing.once('upgrade', ({ headers: { upgrade = '' } }: IncomingMessage, socket: Duplex) => {
      socket.destroy();
      const text = `backend tried to switch protocol ${JSON.stringify(upgrade)} when "" was requested`;
      reject(unreachable(new Error(text)));
    });
    pipeline(http, outgoing).catch((error) => reject(unreachable(error)));
  });
}

async function relay(
  answer: IncomingMessage,
  response: ServerResponse,
  { url, request }: { url: URL; request: ResourceRequest },
): Promise<void> {
  const { connection: _connection, 'keep-alive': _keepAlive, ...headers } = answer.headers;
  // Of two lengths the chunks count.
  if (headers['transfer-encoding'] !== undefined) delete headers['content-length'];
  // HTTP/2 has frames for that.
  if (isShared(request.http)) delete headers['transfer-encoding'];
  // Redirects and links to the backend's own paths have to lead through this proxy again.
  const place = { path: proxyPath(request), hosts: [url.host, request.http.headers.host] };
  if (headers.location) headers.location = rewriteUrl(headers.location, place);
  const links = headers.location ? undefined : linkStreams(headers, place);
  if (links) delete headers['content-length'];
  for (const name of Object.keys(headers)) if (name.startsWith('access-control-')) delete headers[name];
  response.writeHead(answer.statusCode ?? 502, headers);
  const { signal } = request;
  const through = request.http.method === 'HEAD' ? [] : (links ?? []);
  await pipeline([answer, ...through, response], { signal }).catch(() => response.destroy());
}

/** The request's path up to `…/proxy`, as the client spelled it. */
function proxyPath({ info }: ResourceRequest): string {
  return /^(?:\/[^/]*)*?\/(?:pods|services|nodes)\/[^/]+\/proxy/.exec(info.path)?.[0] ?? info.path;
}

function unreachable(error: Error): StatusError {
  return new StatusError({
    code: 503,
    reason: 'ServiceUnavailable',
    message: `error trying to reach service: ${dialFailure(error)}`,
    cause: error,
  });
}
