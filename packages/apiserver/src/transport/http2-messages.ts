import { Http2ServerRequest } from 'node:http2';

/** A request over HTTP/2 with what the server reads of one over HTTP/1.1. */
export class Http2Request extends Http2ServerRequest {
  #headersDistinct: Record<string, string[]> | undefined;

  constructor(...parts: ConstructorParameters<typeof Http2ServerRequest>) {
    super(...parts);
    const { headers } = this;
    if (headers[':authority'] !== undefined) headers.host ??= headers[':authority'];
  }

  /** Each header line is one value. */
  get headersDistinct(): Record<string, string[]> {
    if (this.#headersDistinct) return this.#headersDistinct;
    const lines = new Map<string, string[]>();
    for (let at = 0; at < this.rawHeaders.length; at += 2) {
      const name = this.rawHeaders[at]!.toLowerCase();
      const values = lines.get(name);
      if (values) values.push(this.rawHeaders[at + 1]!);
      else lines.set(name, [this.rawHeaders[at + 1]!]);
    }
    this.#headersDistinct = Object.fromEntries(lines);
    return this.#headersDistinct;
  }
}
