import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../../test/test-server.ts';
import { TestWebhook } from '../../test/test-webhook.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const hooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

describe('a request has its time', () => {
  let server: TestServer;
  let webhook: TestWebhook;
  before(async () => {
    server = await TestServer.start({ requestTimeoutMs: 1_500, minRequestTimeout: 1 });
    webhook = await TestWebhook.start(server.authority);
    const made = await server.request('POST', hooks, {
      body: {
        metadata: { name: 'slow' },
        webhooks: [
          {
            ...{ name: 'slow.example.com', clientConfig: webhook.clientConfig() },
            rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['*'] }],
            ...{ sideEffects: 'None', admissionReviewVersions: ['v1'], timeoutSeconds: 30 },
            failurePolicy: 'Ignore',
          },
        ],
      },
    });
    assert.equal(made.status, 201, made.text);
  });
  after(async () => {
    webhook.close();
    await server.close();
  });

  const create = (name: string, query = '') =>
    server.request('POST', `${maps}${query}`, { body: { metadata: { name } } });

  it('and is answered 504 when what it waits for has not come by then, which is let go', async () => {
    webhook.judge = () => undefined;
    for (const query of ['?timeout=200ms', '', '?timeout=0', '?timeout=1h']) {
      const startedAt = performance.now();
      const { status, body } = await create('late', query);
      const tookMs = performance.now() - startedAt;
      assert.equal(status, 504, query);
      assert.deepEqual(
        [body.reason, body.message],
        ['Timeout', 'Timeout: request did not complete within the allotted timeout'],
      );
      assert.ok(tookMs >= (query === '?timeout=200ms' ? 190 : 1_400), `${query}: ${tookMs} ms`);
    }
    webhook.judge = () => ({ allowed: true });
    assert.equal(
      (await server.request('GET', `${maps}/late`)).status,
      404,
      'nothing was made behind the answer',
    );
    assert.equal((await create('soon')).status, 201, 'others go on, over the same connections');
  });

  it('but for one that lasts as long as it is used, of which the shortest time has a flag', async () => {
    const startedAt = performance.now();
    const { status } = await server.request('GET', `${maps}?watch=true&timeout=1ms`);
    const tookMs = performance.now() - startedAt;
    assert.equal(status, 200);
    assert.ok(tookMs >= 900 && tookMs < 20_000, `${tookMs} ms`);
  });

  it('and is refused where it asks for a time that is none', async () => {
    const { status, body } = await server.request('GET', `${maps}?timeout=soon`);
    assert.equal(status, 400);
    assert.match(body.message, /^invalid timeout specified in the request URL - time: invalid duration/);
  });
});
