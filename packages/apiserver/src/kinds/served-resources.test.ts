import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasOwnRules } from '@wherry/kubeapi';
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
});
