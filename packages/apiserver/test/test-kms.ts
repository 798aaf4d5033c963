import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CriError, createGrpcServer, type GrpcServer, type HandlersOf } from '@wherry/cri/grpc';
import { aesGcm } from '../src/encryption/aes-gcm.ts';
import { type KmsMethods, kmsSchema } from '../src/encryption/kms/kms-schema.ts';

/** A program that keeps keys, of one test: its key is what its id says. */
export class TestKms {
  readonly #folder = mkdtempSync(join(tmpdir(), 'wherry-kms-'));
  #server: GrpcServer | undefined;
  /** Of the key that seals from now on. */
  keyId = 'one';
  healthz = 'ok';
  version = 'v2';
  /** Ids of keys that it opens nothing by any more. */
  readonly lost = new Set<string>();
  /** The calls that it was asked, in their order. */
  readonly asked: string[] = [];

  static async start(): Promise<TestKms> {
    const kms = new TestKms();
    await kms.startAgain();
    return kms;
  }

  get endpoint(): string {
    return `unix://${join(this.#folder, 'kms.sock')}`;
  }

  /** As a provider of an EncryptionConfiguration. */
  provider(name = 'test'): object {
    return { kms: { apiVersion: 'v2', name, endpoint: this.endpoint, timeout: '1s' } };
  }

  async startAgain(): Promise<void> {
    this.#server = createGrpcServer([
      { schema: kmsSchema, name: 'KeyManagementService', handlers: this.#handlers() },
    ]);
    await this.#server.listen(this.endpoint);
  }

  /** Nobody listens any more. */
  async stop(): Promise<void> {
    await this.#server?.close(0);
    this.#server = undefined;
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true });
  }

  #handlers(): HandlersOf<KmsMethods> {
    const place = Buffer.from('kms');
    const keyOf = (id: string) => aesGcm(createHash('sha256').update(id).digest());
    return {
      status: async () => {
        this.asked.push('status');
        return { version: this.version, healthz: this.healthz, keyId: this.keyId };
      },
      encrypt: async ({ plaintext }) => {
        this.asked.push('encrypt');
        const ciphertext = keyOf(this.keyId).seal(plaintext, place);
        return { ciphertext, keyId: this.keyId, annotations: { 'kms.example.com': Buffer.from(this.keyId) } };
      },
      decrypt: async ({ ciphertext, keyId, annotations }) => {
        this.asked.push('decrypt');
        const isOurs = Buffer.from(annotations['kms.example.com'] ?? []).toString() === keyId;
        const plaintext = this.lost.has(keyId) ? undefined : keyOf(keyId).open(ciphertext, place);
        if (!plaintext || !isOurs) throw new CriError('INVALID_ARGUMENT', 'no such key');
        return { plaintext };
      },
    };
  }
}
