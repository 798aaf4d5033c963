import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../../../test/test-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-requests-'));
after(() => rmSync(folder, { recursive: true }));

/** A PEM request of that group; of its texts one kind alone, by OpenSSL's mask of them. */
function requestOf(group: string, kindOfText: string): string {
  const config = join(folder, 'config');
  const name = `[d]\nO=${group}\nCN=somebody\n`;
  writeFileSync(config, `[req]\nprompt=no\nstring_mask=MASK:${kindOfText}\ndistinguished_name=d\n${name}`);
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', '/dev/null'];
  const words = ['req', '-new', ...key, '-config', config];
  return String(execFileSync('openssl', words, { stdio: ['ignore', 'pipe', 'ignore'] }));
}

describe('a request for a client certificate', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  const ask = (pem: string) =>
    server.request('POST', '/apis/certificates.k8s.io/v1/certificatesigningrequests', {
      body: {
        metadata: { generateName: 'r-' },
        spec: {
          request: Buffer.from(pem).toString('base64'),
          signerName: 'kubernetes.io/kube-apiserver-client',
          usages: ['client auth'],
        },
      },
    });

  const texts = {
    UTF8String: '0x2000',
    PrintableString: '0x2',
    BMPString: '0x800',
    UniversalString: '0x100',
  };
  for (const [name, mask] of Object.entries(texts)) {
    it(`makes nobody an administrator, also by a ${name}`, async () => {
      const { status, body } = await ask(requestOf('system:masters', mask));
      assert.equal(status, 403, body.message);
      assert.match(body.message, /with system:masters group is not allowed/);
      assert.equal((await ask(requestOf('readers', mask))).status, 201);
    });
  }

  it('is looked at where its signer reads it, whatever stands beside it', async () => {
    const [evil, plain] = [requestOf('system:masters', '0x2000'), requestOf('readers', '0x2000')];
    assert.equal((await ask(evil + plain)).status, 403);
    const renamed = evil.replaceAll('CERTIFICATE REQUEST', 'REQUEST');
    const marked = evil.replace('-----\n', '-----\na: b\n\n');
    for (const first of [renamed, marked]) {
      const { status, body } = await ask(first + plain);
      assert.equal(status, 422, body.message);
      assert.match(body.message, /PEM block type must be CERTIFICATE REQUEST/);
    }
    assert.equal((await ask(`About it:\n${plain}${evil}`)).status, 201);
  });
});
