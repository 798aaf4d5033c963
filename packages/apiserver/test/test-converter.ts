import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ConversionRequest, JsonObject, WebhookClientConfig } from '@wherry/kubeapi';
import type { TestAuthority } from './pki.ts';

/** What a webhook answers in place of what it should; `undefined` = what it should. */
export type Answer = Record<string, unknown> | string | undefined;

/** A webhook on loopback that converts objects of a test, one after the other, and remembers what it was asked. */
export class TestConverter {
  readonly asked: ConversionRequest[] = [];
  /** One object in another version. */
  convert: (object: JsonObject, apiVersion: string) => unknown = (object, apiVersion) => ({
    ...object,
    apiVersion,
  });
  /** Has the last word: the body, a whole review, or its response; a text is answered with 500. */
  answer: (request: ConversionRequest, convertedObjects: unknown[]) => Answer | Promise<Answer> = () =>
    undefined;
  readonly #server: Server;
  readonly #authority: TestAuthority;

  private constructor(server: Server, authority: TestAuthority) {
    this.#server = server;
    this.#authority = authority;
  }

  static async start(authority: TestAuthority): Promise<TestConverter> {
    const server = createServer(await authority.issue({ name: 'converter', hosts: ['127.0.0.1'] }));
    const converter = new TestConverter(server, authority);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', async () => {
        const { apiVersion, request: asked } = JSON.parse(Buffer.concat(chunks).toString());
        converter.asked.push(asked);
        const objects = asked.objects.map((each: JsonObject) =>
          converter.convert(each, asked.desiredAPIVersion),
        );
        const answer = await converter.answer(asked, objects);
        if (typeof answer === 'string') {
          const type = answer.startsWith('{') ? { 'content-type': 'application/json' } : {};
          response.writeHead(500, type).end(answer);
        } else {
          const right = { uid: asked.uid, convertedObjects: objects, result: { status: 'Success' } };
          const review = { apiVersion, kind: 'ConversionReview', response: { ...right, ...answer } };
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify(answer && 'kind' in answer ? { ...review, ...answer } : review));
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return converter;
  }

  /** For a definition. */
  get clientConfig(): WebhookClientConfig {
    const { port } = this.#server.address() as AddressInfo;
    const caBundle = Buffer.from(this.#authority.cert).toString('base64');
    return { url: `https://127.0.0.1:${port}/convert`, caBundle };
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
