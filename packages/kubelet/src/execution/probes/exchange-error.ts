import { hasCode } from '@wherry/linux';
import { dialError } from './dial-error.ts';

/** Bytes of what is no HTTP that are told. */
const shownBytesMax = 256;

/** Why nothing was answered over HTTP, in the words of Go's client, which users know. */
export function exchangeError(error: Error, host: string, port: string): string {
  if (isPlainAnswer(error)) return 'http: server gave HTTP response to HTTPS client';
  // Node's word for a connection that ended before a word came.
  if (error.message === 'socket hang up') return 'EOF';
  const { rawPacket } = error as { rawPacket?: unknown };
  if (hasCode(error, 'HPE_INVALID_CONSTANT') && rawPacket instanceof Uint8Array)
    return `net/http: HTTP/1.x transport connection broken: malformed HTTP response ${quotedLine(rawPacket)}`;
  return dialError(error, host, port);
}

/** Whether a server that was asked by TLS speaks without it, by the error of an exchange or one that it caused. */
export function isPlainAnswer(error: unknown): boolean {
  const { cause = error } = error as Error;
  return hasCode(cause, 'EPROTO') && (cause as Error).message.includes('wrong version number');
}

/** The first line, as Go quotes bytes. */
function quotedLine(bytes: Uint8Array): string {
  const [line = ''] = Buffer.from(bytes).subarray(0, shownBytesMax).toString('latin1').split(/\r?\n/, 1);
  const shown = line.replace(/["\\]/g, '\\$&').replace(/[^ -~]/g, (byte) => {
    const code = byte.charCodeAt(0).toString(16).padStart(2, '0');
    return byte === '\t' ? '\\t' : byte === '\r' ? '\\r' : `\\x${code}`;
  });
  return `"${shown}"`;
}
