import { readFile } from 'node:fs/promises';
import type { Server } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import { JudgedConnections } from '@wherry/bytes';
import { sleep } from '@wherry/clock';
import { tlsOptions } from '@wherry/upgrade';
import { PairStore } from '../certificates/pair-store.ts';
import { CertificateRotation } from '../certificates/rotation.ts';
import { RotationFigures } from '../certificates/rotation-figures.ts';
import { readPair, type ServingPair } from '../certificates/serving-pair.ts';
import type { Ground } from '../ground/ground.ts';
import { servingFilesMs } from '../limits.ts';
import { servingCertificate } from './serving-certificate.ts';

/** What the main server shows and whom it trusts, while files change and certificates are replaced. */
export class ServingTls {
  readonly #ground: Ground;
  readonly #closed = new AbortController();
  #pair: ServingPair | undefined;
  #authority: Buffer | undefined;
  #rotation: CertificateRotation | undefined;

  private constructor(ground: Ground) {
    this.#ground = ground;
  }

  /** Reads the files. With `serverTLSBootstrap` there may be no certificate yet: handshakes fail until there is one. */
  static async load(ground: Ground): Promise<ServingTls> {
    const serving = new ServingTls(ground);
    const { serverTLSBootstrap, tlsCertFile } = ground.configuration;
    if (!serverTLSBootstrap) serving.#pair = await servingCertificate(ground);
    else serving.#pair = (await serving.#store.read()) ?? (tlsCertFile ? await serving.#given() : undefined);
    serving.#authority = await serving.#readAuthority();
    return serving;
  }

  /** What an HTTPS server is made with. */
  get options(): SecureContextOptions {
    return this.#optionsWith(this.#pair, this.#authority);
  }

  /** Lets a server have what comes, until {@link close}. */
  follow(server: Server): void {
    const { configuration, client, clock, logger, metrics, nodeName, addresses } = this.#ground;
    void this.#watchFiles(server, new JudgedConnections(server));
    if (!configuration.serverTLSBootstrap) return;
    if (!client)
      throw new Error('serverTLSBootstrap needs an API server to ask for a certificate: give --kubeconfig');
    this.#rotation = new CertificateRotation({
      ...{ store: this.#store, client, clock, logger },
      figures: new RotationFigures('serving', metrics, clock),
      subject: () => ({ use: 'serving', nodeName, hosts: [nodeName, ...addresses.ips] }),
      onRotated: (pair) => {
        this.#pair = pair;
        server.setSecureContext(this.options);
      },
    });
    void this.#rotation.run(this.#pair && { cert: String(this.#pair.cert), key: String(this.#pair.key) });
  }

  close(): void {
    this.#closed.abort(new Error('the server ends'));
    this.#rotation?.close();
  }

  get #store(): PairStore {
    return new PairStore(this.#ground.certDir, 'kubelet-server');
  }

  async #watchFiles(server: Server, judged: JudgedConnections): Promise<void> {
    const { clock, logger } = this.#ground;
    const { signal } = this.#closed;
    while (!signal.aborted) {
      await sleep({ clock, delayMs: servingFilesMs, signal }).catch(() => {});
      if (signal.aborted) return;
      try {
        await this.#readFiles(server, judged);
      } catch (error) {
        logger.warn('the files of the serving certificate could not be read anew', { error });
      }
    }
  }

  /** Throws on a pair that is half written, which is looked at again: what was there serves on. */
  async #readFiles(server: Server, judged: JudgedConnections): Promise<void> {
    const { serverTLSBootstrap, tlsCertFile } = this.#ground.configuration;
    const authority = await this.#readAuthority();
    const given = serverTLSBootstrap || !tlsCertFile ? undefined : await this.#given();
    // Nothing is waited for from here on: a pair that was replaced meanwhile is not lost.
    const pair = given ?? this.#pair;
    const hasSameAuthority = isSame(authority, this.#authority);
    if (hasSameAuthority && isSame(pair?.cert, this.#pair?.cert)) return;
    server.setSecureContext(this.#optionsWith(pair, authority));
    this.#pair = pair;
    this.#authority = authority;
    if (!hasSameAuthority) judged.retire();
  }

  #optionsWith(pair: ServingPair | undefined, authority: Buffer | undefined): SecureContextOptions {
    return { ...pair, ...(authority ? { ca: authority } : {}), ...tlsOptions(this.#ground.configuration) };
  }

  #given(): Promise<ServingPair> {
    const { tlsCertFile, tlsPrivateKeyFile } = this.#ground.configuration;
    return readPair(tlsCertFile, tlsPrivateKeyFile);
  }

  async #readAuthority(): Promise<Buffer | undefined> {
    const { clientCAFile } = this.#ground.configuration.authentication.x509;
    return clientCAFile ? await readFile(clientCAFile) : undefined;
  }
}

const isSame = (one: Buffer | string | undefined, other: Buffer | string | undefined) =>
  String(one) === String(other);
