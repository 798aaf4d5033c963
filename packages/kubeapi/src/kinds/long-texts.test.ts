/** Texts of others take time by their length alone, however they are made: what takes the square of it would hold everybody up. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { certificateProblem } from './certificates/issued-certificate.ts';
import { validateSysctls } from './core/pod/validation/sysctls.ts';
import { podWarnings } from './core/pod/warnings/pod-warnings.ts';
import { uncoveredRules } from './rbac/rule-cover.ts';

const length = 1_000_000;

describe('a text of a million characters', { timeout: 30_000 }, () => {
  it('is a path of a volume', () => {
    const path = `a${'/'.repeat(length)}b`;
    const items = [path, `${path}c`].map((each) => ({ key: 'a', path: each }));
    const volumes = [{ name: 'v', configMap: { items } }];
    assert.deepEqual(podWarnings({ spec: { containers: [{ name: 'a', image: 'b' }], volumes } }), []);
  });

  it('is the name of a sysctl', () => {
    const securityContext = { sysctls: [{ name: `${'*'.repeat(length)}\n`, value: '1' }] };
    const [error] = validateSysctls({ containers: [], securityContext }, 'spec' as never);
    assert.match(error?.body ?? '', /must have at most 253 characters/);
  });

  it('is a URL of a role', () => {
    const [verbs, held] = [['get'], `/${'*'.repeat(length)}a*`];
    const wanted = { verbs, nonResourceURLs: ['/healthz'] };
    assert.equal(uncoveredRules([{ verbs, nonResourceURLs: [held] }], [wanted]).length, 1);
  });

  it('stands in a certificate', () => {
    const pem = `-----BEGIN CERTIFICATE-----\nA${' '.repeat(length)}!\n-----END CERTIFICATE-----\n`;
    assert.match(certificateProblem(Buffer.from(pem).toString('base64')) ?? '', /at least one CERTIFICATE/);
  });
});
