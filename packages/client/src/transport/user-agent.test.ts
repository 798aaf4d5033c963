import assert from 'node:assert/strict';
import { it } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };
import { defaultUserAgent } from './user-agent.ts';

it('the client names itself with the version of its package', () => {
  assert.equal(defaultUserAgent.split(' ')[0], `wherry/${manifest.version}`);
});
