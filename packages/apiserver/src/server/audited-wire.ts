import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { auditAnswer } from '../audit/answers.ts';
import type { AuditTrail } from '../audit/audit-trail.ts';
import type { Wire } from '../registry/handler.ts';

/** A wire whose answers are told to a trail; of those that last also when they begin. */
export function auditedWire({ response, exchange }: Wire, trail: AuditTrail, isLong: boolean): Wire {
  let known: ServerResponse | undefined;
  if (isLong && exchange) watchSwitch(exchange.socket, trail);
  return {
    exchange,
    response() {
      if (known) return known;
      known = response();
      auditAnswer(known, trail);
      if (isLong) watchHead(known, trail);
      return known;
    },
  };
}

function watchHead(response: ServerResponse, trail: AuditTrail): void {
  const { writeHead } = response;
  response.writeHead = function writeAudited(this: ServerResponse, code: number, ...more: unknown[]) {
    response.writeHead = writeHead;
    trail.started(code);
    return Reflect.apply(writeHead, this, [code, ...more]);
  } as typeof writeHead;
}

/** The first bytes of an upgraded connection are its status line, be it ours or another server's. */
function watchSwitch(socket: Duplex, trail: AuditTrail): void {
  const { write } = socket;
  socket.write = function writeAudited(this: Duplex, ...parts: unknown[]) {
    socket.write = write;
    const [chunk] = parts;
    const head =
      typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString('latin1', 0, 32);
    const code = /^HTTP\/1\.\d (\d{3})/.exec(head)?.[1];
    if (code === '101') trail.started(101);
    return Reflect.apply(write, this, parts);
  } as typeof write;
}
