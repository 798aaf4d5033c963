import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../../../test/test-server.ts';

const drivers = '/apis/storage.k8s.io/v1/csidrivers';

describe('a CSI driver', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  const patch = (spec: object) =>
    server.request('PATCH', `${drivers}/d`, { body: { spec }, type: 'application/merge-patch+json' });

  it('has its first generation by its first change, and a warning for tokens that may be logged', async () => {
    const tokenRequests = [{ audience: 'a' }];
    const body = { metadata: { name: 'd' }, spec: { tokenRequests } };
    const made = await server.request('POST', drivers, { body });
    assert.equal(made.body.metadata.generation, undefined);
    assert.match(String(made.headers['warning']), /serviceAccountTokenInSecrets is unset/);
    const changed = await patch({ requiresRepublish: true });
    assert.equal(changed.body.metadata.generation, 1);
    assert.equal(changed.headers['warning'], undefined, 'said once');
    assert.equal((await patch({ serviceAccountTokenInSecrets: true })).headers['warning'], undefined);
  });
});
