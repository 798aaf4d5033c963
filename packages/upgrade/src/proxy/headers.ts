import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { repliesAheadHeader } from '../spdy/accept.ts';
import type { ProxyUpgradeOptions } from './contract.ts';

/** Who the client said it is was this hop's business: the next one knows this hop. */
const credentialHeader = /^(authorization$|impersonate-|x-remote-)/i;

/** A bearer token that a browser hides among WebSocket sub-protocols. */
const credentialProtocol = /^base64url\.bearer\.authorization\.k8s\.io\./;

/** Headers that describe one connection, and the length of a body that an upgrade has not. */
const hopHeader = /^(connection|keep-alive|proxy-connection|transfer-encoding)$/i;

/** Name, value, name, value: header lines in their order, as Node's `rawHeaders` has them. */
export type HeaderLines = string[];

/** The line without credentials; no line when nothing else was offered. */
function protocolLine(name: string, value: string): HeaderLines {
  const offered = value.split(',').map((protocol) => protocol.trim());
  const kept = offered.filter((protocol) => !credentialProtocol.test(protocol));
  return kept.length === 0 ? [] : [name, kept.join(', ')];
}

/**
 * The header lines for the backend: the client's own, Host included, without its credentials, with its address
 * appended to X-Forwarded-For, and with `extra` in place of what the client sent under those names.
 */
export function backendHeaders(
  request: IncomingMessage,
  extra: Record<string, string | readonly string[]> = {},
): HeaderLines {
  const replaced = new Set(Object.keys(extra).map((name) => name.toLowerCase()));
  const lines: HeaderLines = [];
  const forwardedFor: string[] = [];
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? '';
    const value = request.rawHeaders[index + 1] ?? '';
    const lower = name.toLowerCase();
    if (lower === 'x-forwarded-for') forwardedFor.push(value);
    else if (lower === 'sec-websocket-protocol') lines.push(...protocolLine(name, value));
    else if (!credentialHeader.test(name) && !replaced.has(lower)) lines.push(name, value);
  }
  const address = request.socket.remoteAddress;
  if (address && isIP(address)) forwardedFor.push(address);
  if (forwardedFor.length > 0) lines.push('X-Forwarded-For', forwardedFor.join(', '));
  for (const [name, values] of Object.entries(extra))
    for (const value of [values].flat()) lines.push(name, value);
  return lines;
}

/** Tells the server behind that this hop answers the streams. */
export const aheadHeaders = ({
  repliesAhead,
}: Pick<ProxyUpgradeOptions, 'repliesAhead'>): Record<string, string> =>
  repliesAhead ? { [repliesAheadHeader]: 'true' } : {};

function renderLines(lines: readonly string[]): string {
  let text = '';
  for (let index = 0; index + 1 < lines.length; index += 2)
    text += `${lines[index]}: ${lines[index + 1]}\r\n`;
  return text;
}

/** The head of a backend's answer as it came, for a connection that goes on. */
export function upgradedHead(response: IncomingMessage): Buffer {
  const { statusCode, statusMessage, rawHeaders } = response;
  return Buffer.from(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${renderLines(rawHeaders)}\r\n`, 'latin1');
}

/** The head of a backend's answer for a connection that ends behind the body. */
export function closingHead(response: IncomingMessage): Buffer {
  const { statusCode, statusMessage, rawHeaders } = response;
  const kept: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!hopHeader.test(name)) kept.push(name, rawHeaders[index + 1] ?? '');
  }
  const lines = renderLines([...kept, 'Connection', 'close']);
  return Buffer.from(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines}\r\n`, 'latin1');
}
