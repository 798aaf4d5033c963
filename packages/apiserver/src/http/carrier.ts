import type { IncomingMessage } from 'node:http';
import { constants, Http2ServerRequest, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';

/** What carries one request and nothing else: its connection over HTTP/1.1, its stream over HTTP/2. */
export function carrierOf(http: IncomingMessage): Duplex {
  return streamOf(http) ?? http.socket;
}

/** The connection that a client's certificate belongs to; undefined without TLS, or once it is gone. */
export function tlsSocketOf(http: IncomingMessage): TLSSocket | undefined {
  const stream = streamOf(http);
  // Of a session it is always the same object, of each of its requests another one.
  const socket = stream ? stream.session?.socket : http.socket;
  return socket instanceof TLSSocket ? socket : undefined;
}

/** Cuts a request off whose body is too long, once it is answered; over HTTP/2 the connection's other requests go on. */
export function cutOff(http: IncomingMessage): void {
  const stream = streamOf(http);
  if (stream) stream.close(constants.NGHTTP2_CANCEL);
  else Socket.prototype.destroySoon.call(http.socket);
}

/**
 * Has an HTTP/1.1 connection read on behind its last answer. Node would end both of its directions with that, and what a client
 * still sends would be met by a reset, on which the answer may be lost.
 */
export function keepReading({ socket }: IncomingMessage): void {
  socket.destroySoon = () => socket.end();
}

/** True when all of the body has arrived. Over HTTP/2 one that its sender broke off ends, too, and Node takes it for whole. */
export function isWhole(http: IncomingMessage): boolean {
  const stream = streamOf(http);
  return stream ? !stream.aborted && (stream.endAfterHeaders || http.readableEnded) : http.complete;
}

/** True when a body comes whose length was not said before. */
export function isOpenEnded(http: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = http.headers;
  const stream = streamOf(http);
  return length === undefined && (stream ? !stream.endAfterHeaders : coding !== undefined);
}

/** True when other requests share the connection. */
export function isShared(http: IncomingMessage): boolean {
  return streamOf(http) !== undefined;
}

/** Lets an HTTP/2 connection end with the requests that it has now: whoever wants more makes another. */
export function takeNoMore(http: IncomingMessage): void {
  (streamOf(http)?.session as ServerHttp2Session | undefined)?.close();
}

/**
 * The same once the request is answered, or given up. What is behind a GOAWAY is lost to clients on the JDK before 24: it drops
 * the connection.
 */
export function takeNoMoreBehind(http: IncomingMessage): void {
  const stream = streamOf(http);
  const session = stream?.session as ServerHttp2Session | undefined;
  stream?.once('close', () => session?.close());
}

function streamOf(http: object): ServerHttp2Stream | undefined {
  return http instanceof Http2ServerRequest ? http.stream : undefined;
}
