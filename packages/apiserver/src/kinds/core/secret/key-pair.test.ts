import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { keyPairProblem } from './key-pair.ts';

/** PEM of a key and of a certificate for it, one behind the other, as openssl prints them. */
function pair(...kind: string[]): { certificate: string; key: string } {
  const words = ['req', '-x509', '-newkey', ...kind, '-nodes', '-subj', '/CN=a', '-keyout', '-', '-out', '-'];
  const said = execFileSync('openssl', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const [, key = '', certificate = ''] =
    /(-----BEGIN PRIVATE[\s\S]*?)(-----BEGIN CERTIFICATE[\s\S]*)/.exec(said) ?? [];
  return { key, certificate };
}

const curve = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];

test('a certificate and its key are a pair, in each form that keys have', () => {
  for (const kind of [curve, ['rsa:2048'], ['ed25519']]) {
    const { certificate, key } = pair(...kind);
    assert.equal(keyPairProblem(certificate, key), undefined, kind[0]);
    assert.equal(
      keyPairProblem(`first\n${certificate}`, `${certificate}${key}`),
      undefined,
      'behind other things',
    );
  }
  const { certificate, key } = pair(...curve);
  const old = execFileSync('openssl', ['ec'], {
    input: key,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  assert.match(old, /BEGIN EC PRIVATE KEY/);
  assert.equal(keyPairProblem(certificate, old), undefined);
});

test('what is wrong with a pair is said as Go says it', () => {
  const { certificate, key } = pair(...curve);
  const exchange = generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  const block = (type: string) => `-----BEGIN ${type}-----\nAAAA\n-----END ${type}-----\n`;
  for (const [first, second, said] of [
    ['', '', 'failed to find any PEM data in certificate input'],
    [
      key,
      certificate,
      'failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
    ],
    [
      block('A') + block('B'),
      key,
      'failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [A B]',
    ],
    [certificate, 'x', 'failed to find any PEM data in key input'],
    [certificate, certificate, 'found a certificate rather than a key in the PEM for the private key'],
    [
      certificate,
      block('A'),
      'failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [A]',
    ],
    [certificate, pair(...curve).key, 'private key does not match public key'],
    [certificate, pair('rsa:2048').key, 'private key type does not match public key type'],
    [certificate, String(exchange), 'found unknown private key type in PKCS#8 wrapping'],
    [certificate, block('PRIVATE KEY'), 'failed to parse private key'],
  ] as const)
    assert.equal(keyPairProblem(first, second), `tls: ${said}`);
  assert.equal(keyPairProblem(block('CERTIFICATE'), key), 'x509: malformed certificate');
});

test('blocks that begin and never end take no time', () => {
  const text = '-----BEGIN A-----\n'.repeat(50_000);
  const startedAt = performance.now();
  keyPairProblem(text, text);
  keyPairProblem(`${text}\n-----END `.repeat(3), text);
  assert.ok(performance.now() - startedAt < 2_000);
});
