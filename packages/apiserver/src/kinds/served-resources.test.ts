import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasOwnRules, resources } from '@wherry/kubeapi';
import { pathOf } from '../catalog/catalog.ts';
import { withStorageVersion } from '../catalog/storage-version.ts';
import { servedKinds } from './index.ts';
import { servedResources } from './served-resources.ts';

/** Upstream looks at nothing but their metadata. */
const withoutRules = ['/ServiceAccount'];

describe('served resources', () => {
  it('that are stored have rules of their own, so that nothing is stored unlooked at', () => {
    const stored = servedResources().filter(({ verbs }) => verbs.includes('create') && verbs.includes('get'));
    const unchecked = stored
      .filter((facts) => !hasOwnRules(facts))
      .map(({ group, kind }) => `${group}/${kind}`);
    assert.deepEqual(unchecked, withoutRules);
  });

  it('are all that upstream has', () => {
    const served = servedResources().map(pathOf);
    const absent = resources.map(pathOf).filter((path) => !served.includes(path));
    assert.deepEqual(absent, []);
  });

  it('say by a hash what they are stored as, where that is another version than theirs too', () => {
    const hashOf = (path: string) => {
      const facts = resources.find((entry) => pathOf(entry) === path);
      return facts && withStorageVersion(facts).storageVersionHash;
    };
    assert.equal(hashOf('/v1/pods'), 'xPOwRZ+Yhw8=');
    assert.equal(hashOf('events.k8s.io/v1/events'), hashOf('/v1/events'));
    assert.equal(hashOf('/v1/bindings'), undefined);
  });

  it('are defined once each, under a kind that exists', () => {
    const names = servedKinds.map(({ group, kind }) => `${group}/${kind}`);
    assert.deepEqual([...new Set(names)], names);
    for (const { group, kind } of servedKinds) {
      const facts = resources.filter((entry) => entry.group === group && entry.kind === kind);
      assert.notEqual(facts.length, 0, `${group}/${kind}`);
    }
  });

  it('are switched by resource, by version, by how stable the version is, and all together, the narrower word first', () => {
    const isServed = (config: Record<string, boolean>) =>
      servedResources(config).some(({ group, plural }) => group === 'apps' && plural === 'deployments');
    assert.ok(!isServed({ 'api/all': false }));
    assert.ok(isServed({ 'api/all': false, 'api/ga': true }));
    assert.ok(!isServed({ 'api/ga': true, 'apps/v1': false }));
    assert.ok(isServed({ 'apps/v1': false, 'apps/v1/deployments': true }));
    assert.ok(isServed({ 'api/beta': false, 'api/alpha': false, 'v1/pods': false }));
  });

  it('of the core group are named by its path too', () => {
    const servesPods = (name: string, isWanted: boolean) =>
      servedResources({ [name]: isWanted }).some(({ group, plural }) => group === '' && plural === 'pods');
    for (const name of ['v1', 'api/v1', 'api/v1/pods']) {
      assert.ok(servesPods(name, true), name);
      assert.ok(!servesPods(name, false), name);
    }
  });

  it('are not switched by what names nothing, or is neither true nor false', () => {
    for (const name of [
      'apps',
      'apps/v9',
      'apps/v1/deployment',
      'api/v2',
      'api/most',
      'v1/',
      '',
      'constructor',
      '__proto__',
    ])
      assert.throws(
        () => servedResources(JSON.parse(`{${JSON.stringify(name)}: true}`)),
        (error: Error) => error.message.includes(`"${name}"`) && /runtime-config/.test(error.message),
        name,
      );
    assert.throws(
      () => servedResources({ 'apps/v1': 'false' as unknown as boolean }),
      /"apps\/v1".*'false'|"false"/,
    );
  });
});
