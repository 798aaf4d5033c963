import type { IncomingMessage } from 'node:http';
import type { ByteChannel } from '@wherry/bytes';
import { UpgradeError } from '../errors.ts';
import { encodeAnswer, finishWith, type HttpAnswer, plainTextAnswer } from '../http/answer.ts';
import { commaSeparated, firstCommon, headerLines, type UpgradeExchange } from '../http/exchange.ts';
import { adoptSocket } from '../http/sockets.ts';

/** The value of `Upgrade` for SPDY as Kubernetes speaks it. */
export const spdyUpgradeToken = 'SPDY/3.1';

/** True for a request that asks for SPDY, and for an answer that switches to it. */
export const isSpdy = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers.upgrade?.toLowerCase().includes(spdyUpgradeToken.toLowerCase()) === true;

/** One line per protocol a client offers; one line with the choice in the answer. */
export const streamProtocolHeader = 'X-Stream-Protocol-Version';

/**
 * A hop before this server answers the client's streams (see `ReplyAhead`), so this server's own replies would only be dropped
 * there. Peers that don't know the header reply all the same.
 */
export const repliesAheadHeader = 'X-Stream-Replies-Ahead';

/** What a request for SPDY comes to: the protocol to speak, or the answer that refuses it. */
export type SpdyNegotiation =
  | { accepted: true; protocol: string }
  | { accepted: false; answer: HttpAnswer; reason: string };

/**
 * Chooses the first protocol of the client's list that the server knows. Needs no socket, so that it can also answer
 * requests that turn out to be no upgrade. Order of checks, codes and texts: k8s.io/streaming, httpstream.Handshake
 * and spdy.UpgradeResponse.
 */
export function negotiateSpdy(
  request: Pick<IncomingMessage, 'rawHeaders' | 'headers'>,
  protocols: readonly string[],
): SpdyNegotiation {
  const lines = headerLines(request, streamProtocolHeader);
  if (lines.length === 0) {
    const count = Object.keys(request.headers).filter((name) => name !== 'host').length;
    return refuse(400, `header ${streamProtocolHeader} does not exist in request with ${count} headers`);
  }
  const offered = commaSeparated(lines);
  if (offered.length === 0) {
    return refuse(
      400,
      `header ${streamProtocolHeader} contains [${lines.join(' ')}], but no valid protocols`,
    );
  }
  const protocol = firstCommon(offered, protocols);
  if (protocol === undefined) {
    const text = `unable to negotiate protocol: client supports [${offered.join(' ')}], server accepts [${protocols.join(' ')}]`;
    return refuse(
      403,
      text,
      protocols.map((name) => ['X-Accepted-Stream-Protocol-Versions', name] as const),
    );
  }
  if (!asksForSpdy(request)) {
    return refuse(400, `missing upgrade headers in request: ${JSON.stringify(request.headers)}`);
  }
  return { accepted: true, protocol };
}

/** Only the first line of each header counts here. */
function asksForSpdy(request: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  const connection = headerLines(request, 'connection')[0]?.toLowerCase() ?? '';
  const upgrade = headerLines(request, 'upgrade')[0]?.toLowerCase() ?? '';
  return connection.includes('upgrade') && upgrade.includes(spdyUpgradeToken.toLowerCase());
}

function refuse(statusCode: number, reason: string, headers: HttpAnswer['headers'] = []): SpdyNegotiation {
  const text = `unable to upgrade: ${reason}`;
  return { accepted: false, answer: plainTextAnswer(statusCode, text, headers), reason: text };
}

/** What {@link acceptSpdyUpgrade} is given. */
export interface AcceptSpdyOptions extends UpgradeExchange {
  /** What the server speaks. The client's order decides. */
  protocols: readonly string[];
}

/** An upgraded connection: feed the channel to a SPDY session. */
export interface UpgradedChannel {
  channel: ByteChannel;
  protocol: string;
}

/** What {@link acceptSpdyUpgrade} answers. */
export interface AcceptedSpdy extends UpgradedChannel {
  /** Whether a hop before this one answers the streams: the session is to send no replies. */
  repliesAhead: boolean;
}

/**
 * Answers an upgrade to SPDY and hands over the byte stream, pipelined bytes first. Nothing but the 101 has been
 * sent: Go clients lose what comes in the same read as the head, so stay silent until the first SYN_STREAM.
 * Throws {@link UpgradeError} (`refused`) after it has answered and closed the socket.
 */
export function acceptSpdyUpgrade({ request, socket, head, protocols }: AcceptSpdyOptions): AcceptedSpdy {
  const negotiation = negotiateSpdy(request, protocols);
  if (!negotiation.accepted) {
    finishWith(socket, encodeAnswer(negotiation.answer));
    throw new UpgradeError('refused', negotiation.reason, { statusCode: negotiation.answer.statusCode });
  }
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Connection: Upgrade',
    `Upgrade: ${spdyUpgradeToken}`,
    `${streamProtocolHeader}: ${negotiation.protocol}`,
  ];
  const channel = adoptSocket(socket, head);
  channel.write(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`));
  const repliesAhead = headerLines(request, repliesAheadHeader).length > 0;
  return { channel, protocol: negotiation.protocol, repliesAhead };
}
