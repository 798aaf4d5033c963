import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubeletConfigurationFlags } from './configuration-flags.ts';
import { fieldOfFlag } from './flag-fields.ts';

test('every flag that sets a field of the configuration leads to that field', () => {
  const lost = kubeletConfigurationFlags.filter(({ name }) => fieldOfFlag(name) === undefined);
  assert.deepEqual(lost, []);
  const pathOf = (flag: string) => fieldOfFlag(flag)?.path.join('.');
  assert.equal(pathOf('authentication-token-webhook-cache-ttl'), 'authentication.webhook.cacheTTL');
  assert.equal(pathOf('resolv-conf'), 'resolvConf');
  assert.equal(pathOf('lock-file'), undefined);
});
