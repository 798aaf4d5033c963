import 'reflect-metadata';
import assert from 'node:assert/strict';
import { webcrypto, X509Certificate } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { cryptoProvider, Pkcs10CertificateRequest, X509CertificateGenerator } from '@peculiar/x509';
import type { KubeClient } from '@wherry/client';
import { FakeClock } from '@wherry/clock';
import type { CertificateSigningRequest } from '@wherry/kubeapi';
import { silentLogger } from '@wherry/telemetry';
import type { CertificateUse } from './ask-for-certificate.ts';
import { type Pair, PairStore } from './pair-store.ts';
import { CertificateRotation } from './rotation.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const lifeMs = 160_000;
/** Signers let certificates begin before they are made, for clocks that are behind. */
const backdatedMs = 300_000;
const hosts = ['n1', '192.0.2.1', 'fd00::1'];

/** An API server that signs what it is asked for, at once. */
class Signer {
  readonly names: string[] = [];
  readonly #clock: FakeClock;
  readonly #certificates = new Map<string, string>();
  #keys: webcrypto.CryptoKeyPair | undefined;

  constructor(clock: FakeClock) {
    this.#clock = clock;
  }

  readonly client = {
    resource: () => ({
      create: async ({ metadata, spec }: CertificateSigningRequest) => {
        this.names.push(metadata.name ?? '');
        this.#certificates.set(metadata.name ?? '', await this.#sign(spec.request));
      },
      get: async ({ name }: { name: string }) => {
        const certificate = Buffer.from(this.#certificates.get(name) ?? '').toString('base64');
        return { metadata: { name }, status: { certificate } };
      },
    }),
  } as unknown as KubeClient;

  async #sign(request: string): Promise<string> {
    this.#keys ??= await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const asked = new Pkcs10CertificateRequest(Buffer.from(request, 'base64').toString());
    const certificate = await X509CertificateGenerator.create({
      subject: asked.subject,
      issuer: 'CN=authority',
      notBefore: new Date(this.#clock.nowMs() - backdatedMs),
      notAfter: new Date(this.#clock.nowMs() + lifeMs),
      publicKey: asked.publicKey,
      signingKey: this.#keys.privateKey,
      signingAlgorithm: algorithm,
      extensions: asked.extensions,
    });
    return certificate.toString('pem');
  }
}

describe('a certificate', () => {
  let folder: string;
  beforeEach(async () => {
    cryptoProvider.set(webcrypto);
    folder = await mkdtemp(join(tmpdir(), 'wherry-rotation-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** One of a clock, and what it has had. */
  function rotate(use: CertificateUse, hostsNow: () => readonly string[]) {
    const clock = new FakeClock({ nowMs: Date.parse('2026-01-01T00:00:00Z') });
    const signer = new Signer(clock);
    const pairs: Pair[] = [];
    let failures = 0;
    const rotation = new CertificateRotation({
      ...{ clock, logger: silentLogger, client: signer.client },
      store: new PairStore(folder, use),
      subject: () => ({ use, nodeName: 'n1', hosts: hostsNow() }),
      figures: { use() {}, replaced() {}, failed: () => failures++ },
      onRotated: (pair) => pairs.push(pair),
      random: () => 0.999,
    });
    const running = rotation.run(undefined);
    /** Lets time pass until so many pairs were had. */
    const until = async (count: number, withinMs: number) => {
      const deadlineMs = clock.nowMs() + withinMs;
      while (pairs.length < count && clock.nowMs() < deadlineMs) {
        // It asks and signs in real time, and sleeps on the clock.
        if (clock.pendingTimers > 0) await clock.advanceAsync(1_000);
        else await turn();
      }
      assert.equal(pairs.length, count, `certificate ${count} did not come in time`);
    };
    const end = async () => {
      rotation.close();
      await running;
      assert.equal(new Set(signer.names).size, pairs.length);
      assert.equal(failures, 0);
    };
    return { pairs, until, end };
  }

  for (const use of ['client', 'serving'] satisfies CertificateUse[])
    it(`for a ${use} is replaced before it ends, time after time`, async () => {
      const { until, end } = rotate(use, () => (use === 'serving' ? hosts : []));
      for (const count of [1, 2, 3, 4]) await until(count, lifeMs);
      await end();
    });

  it('for serving is replaced once the node has another address', async () => {
    let address = '192.0.2.1';
    const { pairs, until, end } = rotate('serving', () => ['n1', address]);
    await until(1, lifeMs);
    address = '192.0.2.2';
    await until(2, 15_000);
    assert.equal(new X509Certificate(pairs[1]?.cert ?? '').checkIP('192.0.2.2'), '192.0.2.2');
    await end();
  });
});
