import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configurationFlags } from '../../generated/upstream.ts';
import { fieldOfFlag } from './flag-fields.ts';

test('every flag that sets a field of the configuration leads to that field', () => {
  const lost = Object.entries(configurationFlags).filter(
    ([flag, fact]) => fact.startsWith('c.') && fieldOfFlag(flag) === undefined,
  );
  assert.deepEqual(lost, []);
  assert.equal(fieldOfFlag('authentication-token-webhook-cache-ttl'), 'authentication.webhook.cacheTTL');
  assert.equal(fieldOfFlag('resolv-conf'), 'resolvConf');
  assert.equal(fieldOfFlag('lock-file'), undefined);
});
