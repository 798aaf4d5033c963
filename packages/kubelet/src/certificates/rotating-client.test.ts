import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { MetricsRegistry, silentLogger } from '@wherry/telemetry';
import { type Pair, PairStore } from './pair-store.ts';
import { openRotatingClient } from './rotating-client.ts';
import { selfSigned } from './self-signed.ts';

const hourMs = 3_600_000;
/** Of a certificate that {@link selfSigned} makes. */
const lifeMs = 365 * 24 * hourMs;

/** A pair that holds for so long. */
async function pairOf(leftMs: number): Promise<Pair> {
  const { cert, key } = await selfSigned('n1', ['n1'], Date.now() + leftMs - lifeMs);
  return { cert: cert.toString(), key: key.toString() };
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe("a kubelet's client whose kubeconfig has a certificate in it, as after kubeadm init", () => {
  let folder: string;
  let certDir: string;
  let given: Pair;
  const current = () => readFileSync(join(certDir, 'kubelet-client-current.pem'), 'utf8');
  const clock = () => new FakeClock({ nowMs: Date.now() });
  /** Opens the client and closes it: nobody has to answer. */
  const open = async () => {
    const kubeconfig = join(folder, 'kubelet.conf');
    const user = {
      'client-certificate-data': base64(given.cert),
      'client-key-data': base64(given.key),
    };
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        'current-context': 'c',
        clusters: [{ name: 'c', cluster: { server: 'https://192.0.2.1:6443' } }],
        users: [{ name: 'c', user }],
        contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }],
      }),
    );
    const rotating = await openRotatingClient({
      ...{ kubeconfig, certDir, nodeName: 'n1', clock: clock(), logger: silentLogger },
      ...{ metrics: new MetricsRegistry(), onExchange() {}, onRead() {} },
    });
    rotating.close();
    rotating.client.close();
  };

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'wherry-rotating-'));
    certDir = join(folder, 'pki');
    given = await pairOf(24 * hourMs);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('keeps it where rotation will put the next one', async () => {
    assert.ok(!existsSync(certDir));
    await open();
    assert.equal(current(), `${given.cert.trimEnd()}\n${given.key.trimEnd()}\n`);
  });

  it('prefers one that it has already, as long as that holds', async () => {
    for (const [leftMs, isKept] of [
      [hourMs, true],
      [-hourMs, false],
    ] as const) {
      const stored = await pairOf(leftMs);
      await new PairStore(certDir, 'kubelet-client').write(stored, Date.now() - hourMs);
      await open();
      const serial = new X509Certificate(current()).serialNumber;
      assert.equal(serial, new X509Certificate((isKept ? stored : given).cert).serialNumber);
    }
  });
});
