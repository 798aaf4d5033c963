import type { IncomingMessage, ServerResponse } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { badRequest, internalError, StatusError, type StatusReason } from '@wherry/kubeapi';
import { auditIdHeader, type SessionBook } from '@wherry/telemetry';
import { isWebSocketRequest, type UpgradeExchange } from '@wherry/upgrade';
import { backendUrl } from '../dialing/backend-url.ts';
import { limits } from '../limits.ts';
import type { Collection } from '../registry/collection.ts';
import type { ResourceRequest } from '../requests/request.ts';
import { FollowedLog } from './followed-log.ts';
import type { Kubelets } from './kubelets.ts';
import { readLogOptions } from './log-options.ts';
import { streamLogToSocket } from './log-socket.ts';
import { openSession } from './open-session.ts';
import { chooseContainer, readPod } from './pod-target.ts';

/** GET of `pods/NAME/log`: passes the kubelet's answer on, at the reader's pace, as a body or as WebSocket messages. */
export async function serveLog(
  { pods, kubelets, sessions }: { pods: Collection; kubelets: Kubelets; sessions: SessionBook },
  request: ResourceRequest,
  wire: { response(): ServerResponse; exchange: UpgradeExchange | undefined },
): Promise<void> {
  const target = await readPod(pods, request);
  const options = readLogOptions(request.query, target.podName);
  const container = chooseContainer(target, options.container);
  const { nodeName } = target.pod.spec ?? {};
  if (!nodeName) {
    wire.response().writeHead(204).end();
    return;
  }
  const kubelet = await kubelets.locate(nodeName, request.signal);
  const path = `/containerLogs/${target.namespace}/${target.podName}/${container}`;
  const url = backendUrl(kubelet.backend, path, options.parameters.toString());
  const connection = kubelets.requestOptions(kubelet, !options.skipsVerification);
  const session = options.follow
    ? openSession(sessions, request, { kind: 'log', container, target, kubelet })
    : undefined;
  const followed = new FollowedLog(session);
  const headers = { ...connection.headers, ...(session ? { [auditIdHeader]: session.id } : {}) };
  // A quiet container's log may be followed for long before there is an answer.
  const timeout = options.follow ? undefined : limits.kubeletSilenceMs;
  const wanted = { ...connection, headers, signal: request.signal, timeout };
  const answer = await get(url, wanted).catch((error) => {
    followed.failed(error);
    throw error;
  });
  const status = answer.statusCode ?? 500;
  if (status < 200 || status > 299) {
    followed.refused(status);
    throw await refusalOf(answer);
  }
  if (wire.exchange && isWebSocketRequest(wire.exchange.request)) {
    await streamLogToSocket(answer, wire.exchange, followed);
    return;
  }
  const response = wire.response();
  response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-cache, private' });
  response.flushHeaders();
  followed.watch(answer, response);
  await pipeline(answer, response, { signal: request.signal }).catch(() => response.destroy());
  followed.ended(answer);
}

/** Never follows a redirect: the answer is handed out as it is. The timeout is that of its head. */
function get(url: URL, options: RequestOptions): Promise<IncomingMessage> {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = httpsRequest(url, options, (answer) => {
      outgoing.setTimeout(0);
      resolve(answer);
    });
    outgoing
      .on('timeout', () => outgoing.destroy(new Error(`no answer within ${options.timeout} ms`)))
      .on('error', (error) =>
        reject(internalError(new Error(`Get ${JSON.stringify(url.href)}: ${error.message}`))),
      )
      .end();
  });
}

/** The kubelet's refusal as a Status: its text is the message. */
async function refusalOf(answer: IncomingMessage): Promise<StatusError> {
  const code = answer.statusCode ?? 500;
  if (code >= 300 && code < 400) {
    answer.destroy();
    return internalError(new Error('redirects forbidden'));
  }
  const text = await readText(answer);
  if (code === 500) return internalError(new Error(text));
  if (code === 400) return badRequest(text);
  return new StatusError({ code, reason: reasons[code] ?? 'Unknown', message: text });
}

const reasons: Record<number, StatusReason> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  429: 'TooManyRequests',
  503: 'ServiceUnavailable',
};

async function readText(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let left: number = limits.kubeletErrorBytesMax;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, left));
    left -= chunk.length;
    if (left <= 0) break;
  }
  return Buffer.concat(chunks).toString().trimEnd();
}
