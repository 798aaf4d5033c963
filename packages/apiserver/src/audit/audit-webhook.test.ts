import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { createLogger } from '@wherry/telemetry';
import { TestServer } from '../../test/test-server.ts';
import type { AuditEvent } from './audit-event.ts';
import { AuditWebhook, type AuditWebhookOptions } from './audit-webhook.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-audit-webhook-'));
after(() => rmSync(folder, { recursive: true }));

interface Received {
  url: string;
  authorization: string;
  list: { kind: string; apiVersion: string; items: AuditEvent[] };
}

describe('a server that audits to a webhook', () => {
  it('sends its events to the place of a kubeconfig, many at a time, and once more what was not taken', async (test) => {
    const first = await TestServer.start();
    test.after(() => first.close());
    const { tlsCertFile, tlsPrivateKeyFile, clientCaFile } = first.options;
    const received: Received[] = [];
    let refusals = 2;
    const webhook = createServer(
      { cert: readFileSync(tlsCertFile), key: readFileSync(tlsPrivateKeyFile) },
      async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        if (refusals-- > 0) {
          response.writeHead(403).end();
          return;
        }
        const { url = '', headers } = request;
        const list = JSON.parse(Buffer.concat(chunks).toString());
        received.push({ url, authorization: headers.authorization ?? '', list });
        response.end();
      },
    );
    const port = await listen(test, webhook);
    const configFile = join(folder, 'kubeconfig');
    const cluster = { server: `https://127.0.0.1:${port}/events`, 'certificate-authority': clientCaFile };
    const config = {
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'c' },
      clusters: [{ name: 'k', cluster }],
      users: [{ name: 'u', user: { token: 'of-the-audit' } }],
      contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
    };
    writeFileSync(configFile, JSON.stringify(config));
    const auditPolicyFile = join(folder, 'policy.yaml');
    writeFileSync(
      auditPolicyFile,
      JSON.stringify({
        ...{ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', omitStages: ['RequestReceived'] },
        rules: [{ level: 'RequestResponse', resources: [{ resources: ['configmaps'] }], users: ['admin'] }],
      }),
    );
    const auditWebhook = {
      ...{ configFile, initialBackoffMs: 5, maxBatchWaitMs: 50 },
      truncation: { maxEventBytes: 4_000, maxBatchBytes: 100_000 },
    };
    const server = await TestServer.start({ auditPolicyFile, auditWebhook });
    const path = '/api/v1/namespaces/default/configmaps';
    await server.request('POST', path, { body: { metadata: { name: 'small' } } });
    await server.request('POST', path, {
      body: { metadata: { name: 'large' }, data: { text: 'x'.repeat(4_000) } },
    });
    // What waits is sent before the server is gone.
    await server.close();
    assert.deepEqual(
      received.map(({ url, authorization }) => [url, authorization]),
      received.map(() => ['/events?timeout=30s', 'Bearer of-the-audit']),
    );
    const [{ list } = assert.fail('nothing came')] = received;
    assert.deepEqual([list.kind, list.apiVersion], ['EventList', 'audit.k8s.io/v1']);
    const [small, large, ...more] = received.flatMap((each) => each.list.items);
    assert.equal(more.length, 0);
    assert.deepEqual(
      [small?.verb, small?.objectRef?.resource, small?.kind],
      ['create', 'configmaps', undefined],
    );
    assert.equal(
      (small?.requestObject as { metadata: { name: string } } | undefined)?.metadata.name,
      'small',
    );
    assert.deepEqual([large?.requestObject, large?.responseObject], [undefined, undefined]);
    assert.equal(large?.annotations?.['audit.k8s.io/truncated'], 'true');
  });

  it('does not start with a kubeconfig that says no place', async () => {
    const configFile = join(folder, 'none');
    await assert.rejects(TestServer.start({ auditWebhook: { configFile } }), /none: no such file/);
  });
});

describe('a webhook of the audit', () => {
  const event = { kind: 'Event', apiVersion: 'audit.k8s.io/v1', level: 'Metadata' } as AuditEvent;
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const make = (options: Partial<AuditWebhookOptions>) => {
    const clock = new FakeClock();
    const sent: number[] = [];
    const lost: [string, number][] = [];
    let isDown = false;
    const post = {
      async send(body: string, signal: AbortSignal) {
        signal.throwIfAborted();
        if (isDown) throw new Error('no answer');
        sent.push(JSON.parse(body).items.length);
      },
      close() {},
    };
    const logger = createLogger('audit', { level: 'silent' as never });
    const onLost = (part: string, events: number) => void lost.push([part, events]);
    const webhook = new AuditWebhook({ configFile: 'c', ...options }, { post, clock, logger, onLost });
    return { webhook, clock, sent, lost, goDown: () => (isDown = true) };
  };
  const write = (webhook: AuditWebhook, count: number) =>
    Array.from({ length: count }, () => webhook.write(event)).filter(Boolean).length;

  it('is sent a batch when it is full, and the rest when it has waited', async () => {
    const { webhook, clock, sent } = make({ maxBatchSize: 3, maxBatchWaitMs: 1_000 });
    assert.equal(write(webhook, 7), 0);
    clock.advance(0);
    await settle();
    clock.advance(0);
    await settle();
    assert.deepEqual(sent, [3, 3]);
    clock.advance(1_000);
    await settle();
    assert.deepEqual(sent, [3, 3, 1]);
  });

  it('is sent no more requests a second than it is said to bear', async () => {
    const { webhook, clock, sent } = make({ maxBatchSize: 1, requestsPerSecond: 10, burst: 2 });
    write(webhook, 5);
    for (let turn = 0; turn < 5; turn++) {
      clock.advance(0);
      await settle();
    }
    assert.equal(sent.length, 2);
    clock.advance(100);
    await settle();
    assert.equal(sent.length, 3);
  });

  it('drops what is too much while it is down, and after five tries what it was sent; both are counted', async () => {
    const { webhook, clock, sent, lost, goDown } = make({
      ...{ maxBatchSize: 2, bufferSize: 4, initialBackoffMs: 10, requestsPerSecond: 0 },
    });
    goDown();
    assert.equal(write(webhook, 6), 2);
    for (let turn = 0; turn < 40; turn++) {
      clock.advance(10);
      await settle();
    }
    assert.deepEqual(lost, [
      ['webhook', 2],
      ['webhook', 2],
    ]);
    assert.deepEqual(sent, []);
  });

  it('gives up soon after its end what it can not be told', async () => {
    const { webhook, clock, lost, goDown } = make({ maxBatchSize: 100 });
    goDown();
    write(webhook, 5);
    const closed = webhook.close();
    await settle();
    clock.advance(5_000);
    await closed;
    assert.deepEqual(lost, [['webhook', 5]]);
    assert.equal(webhook.write(event), 'buffered');
  });
});

async function listen(test: TestContext, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => server.close());
  return (server.address() as AddressInfo).port;
}
