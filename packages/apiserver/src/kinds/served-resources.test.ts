import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasOwnRules, resources } from '@wherry/kubeapi';
import { pathOf } from '../catalog/catalog.ts';
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

  it('are defined once each, under a kind that exists', () => {
    const names = servedKinds.map(({ group, kind }) => `${group}/${kind}`);
    assert.deepEqual([...new Set(names)], names);
    for (const { group, kind } of servedKinds) {
      const facts = resources.filter((entry) => entry.group === group && entry.kind === kind);
      assert.notEqual(facts.length, 0, `${group}/${kind}`);
    }
  });
});
