import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type OutgoingHttpHeaders,
} from 'node:http2';
import type { Credentials } from './pki.ts';
import type { TestServer } from './test-server.ts';

/** What came back over HTTP/2. */
export interface Http2Answer {
  status: number;
  headers: Record<string, unknown>;
  bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  body: any;
}

/** One HTTP/2 connection to a test's server, with the administrator's certificate unless another, or none, is given. */
export class Http2Client {
  readonly session: ClientHttp2Session;
  /** Codes of the GOAWAY frames that came. */
  readonly goaways: number[] = [];

  constructor(server: TestServer, as: Credentials | null = server.admin) {
    this.session = connect(server.apiserver.url, { ca: server.authority.cert, ...(as ?? {}) });
    this.session.on('error', () => {});
    this.session.on('goaway', (code) => this.goaways.push(code));
  }

  open(method: string, path: string, headers: OutgoingHttpHeaders = {}, body?: string): ClientHttp2Stream {
    const stream = this.session.request(
      { ':method': method, ':path': path, ...headers },
      { endStream: body === undefined },
    );
    stream.on('error', () => {});
    if (body !== undefined) stream.end(body);
    return stream;
  }

  async request(
    method: string,
    path: string,
    { headers = {}, body }: { headers?: OutgoingHttpHeaders; body?: string } = {},
  ): Promise<Http2Answer> {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    return answerOf(this.open(method, path, { ...type, ...headers }, body));
  }

  close(): void {
    this.session.destroy();
  }
}

/** The whole answer. Rejects when the stream is reset before. */
export async function answerOf(stream: ClientHttp2Stream): Promise<Http2Answer> {
  const [{ ':status': status = 0, ...headers }] = (await once(stream, 'response')) as [
    Record<string, number>,
  ];
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  return { status, headers, bytes, body: parsed(bytes) };
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
