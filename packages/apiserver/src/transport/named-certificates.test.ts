import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestAuthority } from '../../test/pki.ts';
import { NamedCertificates } from './named-certificates.ts';

test('names that are none lead to no certificate, and do no harm', async () => {
  const authority = await TestAuthority.create('authority');
  const issue = async (name: string, hosts: string[]) => {
    const { cert, key } = await authority.issue({ name, hosts });
    return [Buffer.from(cert), Buffer.from(key)] as const;
  };
  const [cert, key] = await issue('own', ['own.example.com']);
  const files = await issue('named', ['*.example.com']);
  const named = new NamedCertificates([{ certFile: 'crt', keyFile: 'key' }], files, { cert, key });
  assert.ok(named.find('a.example.com'));
  for (const host of ['', '.', '..', ' ', 'a\0b', '\ud800', 'é', 'a'.repeat(255), '__proto__'])
    assert.equal(named.find(host), undefined, JSON.stringify(host));
});
