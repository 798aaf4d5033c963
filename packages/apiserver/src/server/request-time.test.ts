import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { TestServer } from '../../test/test-server.ts';
import { TestWebhook } from '../../test/test-webhook.ts';
import { SqliteStore } from '../store/sqlite-store.ts';

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

/** A store on a disk that stands still for a while. */
class SlowStore extends SqliteStore {
  writeMs = 0;

  override async write(...args: Parameters<SqliteStore['write']>): ReturnType<SqliteStore['write']> {
    await delay(this.writeMs);
    return super.write(...args);
  }
}

describe('a write that is on disk when its time is over', () => {
  const store = new SlowStore({ path: ':memory:' });
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ store });
  });
  after(() => server.close());

  it('has happened, and what was to be said of it goes nowhere', async (context) => {
    const unheard = context.mock.fn();
    process.on('unhandledRejection', unheard);
    context.after(() => process.off('unhandledRejection', unheard));
    store.writeMs = 400;
    const { status } = await server.request('POST', `${maps}?timeout=100ms`, {
      body: { metadata: { name: 'stood' } },
    });
    store.writeMs = 0;
    assert.equal(status, 504);
    await delay(600);
    assert.equal((await server.request('GET', `${maps}/stood`)).status, 200);
    assert.equal(unheard.mock.callCount(), 0);
  });
});
