/** grpc.health.v1.Health/Check over plaintext HTTP/2: github.com/grpc/grpc-proto grpc/health/v1/health.proto. */
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
} from 'node:http2';
import { backoff, type Clock, type Timer } from '@wherry/clock';
import { CriError, type CriErrorCode, inGoWords } from '@wherry/cri';
import { formatDuration } from '../../configuration/duration.ts';
import { probeOutputBytesMax } from '../../limits.ts';
import { hostPort } from './host-port.ts';
import type { ProbeOutcome } from './probe-outcome.ts';

const serving = 1;
const frameHeadBytes = 5;

/** Delays between tries to connect, as Go's client has them. */
const redial = { initialMs: 1_000, maxMs: 120_000, factor: 1.6 };

/** Asks the health service: status SERVING is success. Who does not answer is called again until the time is over. */
export function grpcProbe(options: {
  host: string;
  port: number;
  service: string;
  timeoutSeconds: number;
  clock: Clock;
}): Promise<ProbeOutcome> {
  const { host, port, service, timeoutSeconds, clock } = options;
  const target = hostPort(host, port);
  const delays = backoff(redial);
  return new Promise((resolve) => {
    let session: ClientHttp2Session | undefined;
    let [isThere, isOver] = [false, false];
    let again: Timer | undefined;
    const end = (result: ProbeOutcome['result'], output: string) => {
      isOver = true;
      timer.cancel();
      again?.cancel();
      session?.destroy();
      resolve({ result, output });
    };
    const timer = clock.after(timeoutSeconds * 1_000, () => {
      const within = `within ${formatDuration(timeoutSeconds * 1_000)}`;
      const what = isThere
        ? `health rpc did not complete ${within}`
        : `failed to connect service "${target}" ${within}: context deadline exceeded`;
      end('failure', `timeout: ${what}`);
    });
    const call = () => {
      const opened = connect(`http://${target}`);
      session = opened;
      // A server is there once it has said how it speaks.
      opened.once('remoteSettings', () => {
        isThere = true;
        ask(opened, service, end);
      });
      opened.on('error', (error: Error) => {
        if (isThere) end('failure', failed('UNAVAILABLE', error.message));
      });
      opened.once('close', () => {
        if (!isThere && !isOver) again = clock.after(delays.nextDelayMs(), call);
      });
    };
    call();
  });
}

const failed = (code: CriErrorCode, text: string) =>
  `error: health rpc probe failed: ${inGoWords(new CriError(code, text))}`;

function ask(
  session: ClientHttp2Session,
  service: string,
  end: (result: ProbeOutcome['result'], output: string) => void,
): void {
  const stream = session.request({
    ':method': 'POST',
    ':path': '/grpc.health.v1.Health/Check',
    'content-type': 'application/grpc',
    te: 'trailers',
    'user-agent': 'kube-probe/1.36',
  });
  stream.once('error', (error: Error) => end('failure', failed('UNAVAILABLE', error.message)));
  judgeAnswer(stream, end);
  stream.end(checkRequest(service));
}

function checkRequest(service: string): Buffer {
  const name = Buffer.from(service, 'utf8');
  const field = Buffer.from([0x0a, ...varint(name.length)]);
  const body = name.length === 0 ? Buffer.alloc(0) : Buffer.concat([field, name]);
  const head = Buffer.alloc(frameHeadBytes);
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
}

/** A length as protobuf writes it: seven bits a byte, the lowest first. */
function varint(length: number): number[] {
  return length < 0x80 ? [length] : [(length & 0x7f) | 0x80, ...varint(length >>> 7)];
}

/** What HealthCheckResponse says, by its numbers. */
const statusNames: readonly string[] = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'];
const unimplemented = '12';

/** gRPC writes what is no plain letter, and the sign itself, as `%` with a byte's number. */
function decoded(text: string): string {
  const bytes = text.replace(/%([\dA-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Only an answer that ends well says anything: one without a status has been cut short, or is no gRPC. */
function judgeAnswer(
  stream: ClientHttp2Stream,
  end: (result: ProbeOutcome['result'], output: string) => void,
): void {
  const chunks: Buffer[] = [];
  let [status, message] = ['', ''];
  const noteStatus = (headers: IncomingHttpHeaders) => {
    status = String(headers['grpc-status'] ?? status);
    message = decoded(String(headers['grpc-message'] ?? '')) || message;
  };
  stream.on('response', noteStatus);
  stream.on('trailers', noteStatus);
  let length = 0;
  stream.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= probeOutputBytesMax) chunks.push(chunk);
    else
      end('failure', `error: health rpc probe failed: the answer has more than ${probeOutputBytesMax} bytes`);
  });
  stream.once('end', () => {
    const body = Buffer.concat(chunks).subarray(frameHeadBytes);
    const said = body[0] === 0x08 ? (body[1] ?? 0) : 0;
    if (status === unimplemented)
      end(
        'failure',
        `error: this server does not implement the grpc health protocol (grpc.health.v1.Health): ${message}`,
      );
    else if (status === '')
      end('failure', failed('INTERNAL', 'server closed the stream without sending trailers'));
    else if (status !== '0')
      end('failure', failed(CriError.from({ code: Number(status), details: '' }).code, message));
    else if (said === serving) end('success', 'service healthy');
    else end('failure', `service unhealthy (responded with "${statusNames[said] ?? said}")`);
  });
}
