import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestAuthority } from './pki.ts';

/** What a review webhook was asked. */
export interface AskedReview {
  url: string;
  authorization: string;
  review: {
    kind: string;
    apiVersion: string;
    spec: Record<string, unknown>;
    status?: unknown;
  };
}

/** What it answers: the status of the review, another document as it stands, or an HTTP code alone. */
export type ReviewAnswer = { status: object } | { body: string } | { code: number; body?: string };

/** A webhook on loopback that is asked about tokens or rights. */
export class TestReviewWebhook {
  readonly asked: AskedReview[] = [];
  /** Default: a status that says nothing. */
  answer: (asked: AskedReview) => ReviewAnswer | Promise<ReviewAnswer> = () => ({ status: {} });
  readonly #server: Server;
  readonly #authority: TestAuthority;

  private constructor(server: Server, authority: TestAuthority) {
    this.#server = server;
    this.#authority = authority;
    server.on('request', async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { url = '', headers } = request;
      const review = JSON.parse(Buffer.concat(chunks).toString());
      const asked = { url, authorization: headers.authorization ?? '', review };
      this.asked.push(asked);
      const answer = await this.answer(asked);
      const { kind, apiVersion } = review;
      if ('code' in answer) response.writeHead(answer.code);
      else response.setHeader('content-type', 'application/json');
      response.end(
        'status' in answer
          ? JSON.stringify({ kind, apiVersion, status: answer.status })
          : (answer.body ?? ''),
      );
    });
  }

  static async start(authority: TestAuthority): Promise<TestReviewWebhook> {
    const server = createServer(await authority.issue({ name: 'webhook', hosts: ['127.0.0.1'] }));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new TestReviewWebhook(server, authority);
  }

  /** Writes a kubeconfig that leads to it, and answers the file's path. */
  kubeconfig(file: string, path = '/review'): string {
    const { port } = this.#server.address() as AddressInfo;
    const cluster = {
      server: `https://127.0.0.1:${port}${path}`,
      'certificate-authority-data': Buffer.from(this.#authority.cert).toString('base64'),
    };
    const config = {
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'c' },
      clusters: [{ name: 'k', cluster }],
      users: [{ name: 'u', user: { token: 'of-the-server' } }],
      contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
    };
    writeFileSync(file, JSON.stringify(config));
    return file;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
