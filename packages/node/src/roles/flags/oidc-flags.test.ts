import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import { addOidcFlags, oidcFlags, oidcOptions } from './oidc-flags.ts';

const optionsOf = (...words: string[]) => {
  const command = addOidcFlags(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  return oidcOptions(command.parse(words, { from: 'user' }).opts());
};

test('flags name an identity provider as kube-apiserver’s do', () => {
  assert.deepEqual(optionsOf(), {});
  const { oidc } = optionsOf(
    ...['--oidc-issuer-url=https://provider.example', '--oidc-client-id', 'kubernetes'],
    ...['--oidc-groups-claim=groups', '--oidc-username-prefix=-', '--oidc-signing-algs=RS256,ES256'],
    ...['--oidc-required-claim=hd=example.com', '--oidc-required-claim=kind=a=b'],
  );
  assert.deepEqual(JSON.parse(JSON.stringify(oidc)), {
    ...{ issuerUrl: 'https://provider.example', clientId: 'kubernetes', groupsClaim: 'groups' },
    ...{ usernamePrefix: '-', signingAlgs: ['RS256', 'ES256'] },
    requiredClaims: { hd: 'example.com', kind: 'a=b' },
  });
});

test('what a node is told of a provider comes to its API server by flags', () => {
  const oidc = {
    ...{ issuerUrl: 'https://provider.example', clientId: 'kubernetes', caFile: '/ca.crt' },
    ...{ signingAlgs: ['ES256'], requiredClaims: { hd: 'example.com' } },
  };
  assert.deepEqual(oidcOptions(oidcFlags(oidc)), { oidc });
});

test('one flag alone names no provider, and the server says so; a claim has a value', () => {
  assert.equal(optionsOf('--oidc-groups-claim=groups').oidc?.issuerUrl, '');
  assert.throws(() => optionsOf('--oidc-required-claim=hd'), /expected CLAIM=VALUE/);
});
