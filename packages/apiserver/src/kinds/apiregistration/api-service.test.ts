import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../../../test/test-server.ts';

const services = '/apis/apiregistration.k8s.io/v1/apiservices';
const conditions = [{ type: 'Own', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }];

describe('an APIService', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  it('is born without a status, whose later writers leave its metadata alone', async () => {
    const name = 'v1.example.com';
    const reach = { insecureSkipTLSVerify: true, service: { name: 's', namespace: 'default' } };
    const spec = {
      group: 'example.com',
      version: 'v1',
      groupPriorityMinimum: 10,
      versionPriority: 10,
      ...reach,
    };
    const body = { metadata: { name }, spec, status: { conditions } };
    const made = await server.request('POST', services, { body });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(made.body.status, {});
    const told = await server.request('PATCH', `${services}/${name}/status`, {
      type: 'application/merge-patch+json',
      body: { metadata: { labels: { a: 'b' }, finalizers: ['example.com/x'] }, status: { conditions } },
    });
    assert.equal(told.status, 200, told.text);
    assert.equal(told.body.metadata.labels, undefined);
    assert.equal(told.body.metadata.finalizers, undefined);
    assert.ok(told.body.status.conditions.some(({ type }: { type: string }) => type === 'Own'));
  });
});
