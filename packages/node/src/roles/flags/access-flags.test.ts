import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import { accessOptions, addAccessFlags } from './access-flags.ts';

const optionsOf = (...words: string[]) => {
  const command = addAccessFlags(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  return accessOptions(command.parse(words, { from: 'user' }).opts());
};

test('flags name a webhook that decides what somebody may as kube-apiserver’s do', () => {
  const name = '--authorization-webhook';
  const words = [
    `${name}-config-file=/a`,
    `${name}-cache-authorized-ttl=0`,
    `${name}-cache-unauthorized-ttl=1s`,
  ];
  assert.deepEqual(JSON.parse(JSON.stringify(optionsOf(...words))), {
    authorizationWebhook: { configFile: '/a', cacheAuthorizedTtlMs: 0, cacheUnauthorizedTtlMs: 1_000 },
  });
});

test('flags name a webhook for tokens as kube-apiserver’s do', () => {
  assert.deepEqual(optionsOf('--authentication-token-webhook-version=v1'), {});
  const name = '--authentication-token-webhook';
  assert.deepEqual(optionsOf(`${name}-config-file=/a`, `${name}-version=v1`, `${name}-cache-ttl=1m30s`), {
    authenticationTokenWebhook: { configFile: '/a', version: 'v1', cacheTtlMs: 90_000 },
  });
  assert.throws(() => optionsOf(`${name}-version=v2`), /Allowed choices are v1, v1beta1/);
});
