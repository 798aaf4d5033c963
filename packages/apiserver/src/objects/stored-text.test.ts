import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../../test/test-server.ts';
import { SqliteStore } from '../store/sqlite-store.ts';
import { itemText, objectText, parseStored, storedApiVersion, toStoredText } from './stored-text.ts';

const gvk = { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'Role' };
const apiVersion = 'rbac.authorization.k8s.io/v1';

describe('objects in the store', () => {
  it('keep the apiVersion that they are written in', () => {
    const metadata = { name: 'r', uid: 'u', resourceVersion: '7' };
    const text = toStoredText({ kind: 'Role', apiVersion: 'other/v9', metadata, rules: [] }, apiVersion);
    assert.equal(storedApiVersion(text), apiVersion);
    const object = parseStored(text, 9, gvk);
    assert.deepEqual(object, {
      ...{ kind: 'Role', apiVersion, rules: [] },
      metadata: { name: 'r', uid: 'u', resourceVersion: '9' },
    });
    assert.ok(!itemText(text, 9).includes('apiVersion'));
    assert.deepEqual(JSON.parse(itemText(text, 0)), { metadata: { name: 'r', uid: 'u' }, rules: [] });
  });

  it('are read as well when they are older than that', () => {
    const text = '{"metadata":{"name":"r","uid":"u"},"rules":[]}';
    assert.equal(storedApiVersion(text), undefined);
    assert.deepEqual(JSON.parse(objectText(text, 3, gvk)).metadata, {
      ...{ name: 'r', uid: 'u', resourceVersion: '3' },
    });
    assert.deepEqual(JSON.parse(itemText(text, 0)), JSON.parse(text));
  });
});

describe('an event', () => {
  let server: TestServer;
  let store: SqliteStore;
  before(async () => {
    server = await TestServer.start();
  });
  after(async () => {
    await store?.close();
    await server.close();
  });

  it('is stored in the core group’s form, whichever group it came by', async () => {
    const event = {
      metadata: { name: 'e' },
      ...{ eventTime: '2026-01-02T03:04:05.000000Z', type: 'Normal', reason: 'R', action: 'A', note: 'n' },
      ...{
        reportingController: 'c',
        reportingInstance: 'i',
        regarding: { namespace: 'default', kind: 'Pod' },
      },
    };
    const path = '/apis/events.k8s.io/v1/namespaces/default/events';
    const made = await server.request('POST', path, { body: event });
    assert.equal(made.status, 201, made.text);
    assert.equal(made.body.apiVersion, 'events.k8s.io/v1');
    const silent = { metadata: { name: 'silent' }, involvedObject: { namespace: 'default' }, reason: 'R' };
    const core = '/api/v1/namespaces/default/events';
    const inCore = await server.request('POST', core, { body: silent });
    assert.equal(inCore.body.reportingComponent, '');
    const { body } = await server.request('GET', `${path}/silent`);
    assert.equal(body.reason, 'R');
    assert.ok(
      !('reportingController' in body) && !('reportingInstance' in body),
      'what says nothing is left out there',
    );
    await server.apiserver.close();
    store = new SqliteStore({ path: `${server.options.dataDir}/state.db` });
    const { value = '' } = (await store.get('/events/default/e')) ?? {};
    assert.equal(storedApiVersion(value), 'v1');
    assert.ok(value.includes('"message":"n"'));
  });
});
