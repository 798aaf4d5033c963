import { readFile } from 'node:fs/promises';
import type { Server } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import { sleep } from '@wherry/clock';
import { tlsOptions } from '@wherry/upgrade';
import { PairStore } from '../certificates/pair-store.ts';
import { CertificateRotation } from '../certificates/rotation.ts';
import { RotationFigures } from '../certificates/rotation-figures.ts';
import type { Ground } from '../ground/ground.ts';
import { servingFilesMs } from '../limits.ts';
import { readPair, type ServingCertificate, servingCertificate } from './serving-certificate.ts';

/** What the main server shows and whom it trusts, while files change and certificates are replaced. */
export class ServingTls {
  readonly #ground: Ground;
  readonly #closed = new AbortController();
  #pair: ServingCertificate | undefined;
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
    const { configuration } = this.#ground;
    return {
      ...this.#pair,
      ...(this.#authority ? { ca: this.#authority } : {}),
      ...tlsOptions(configuration),
    };
  }

  /** Lets a server have what comes, until {@link close}. */
  follow(server: Server): void {
    const { configuration, client, clock, logger, metrics, nodeName, hostIps } = this.#ground;
    void this.#watchFiles(server);
    if (!configuration.serverTLSBootstrap) return;
    if (!client)
      throw new Error('serverTLSBootstrap needs an API server to ask for a certificate: give --kubeconfig');
    this.#rotation = new CertificateRotation({
      ...{ store: this.#store, client, clock, logger },
      figures: new RotationFigures('serving', metrics, clock),
      subject: { use: 'serving', nodeName, hosts: [nodeName, ...hostIps] },
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

  async #watchFiles(server: Server): Promise<void> {
    const { clock, logger } = this.#ground;
    const { signal } = this.#closed;
    while (!signal.aborted) {
      await sleep({ clock, delayMs: servingFilesMs, signal }).catch(() => {});
      if (signal.aborted) return;
      const before = [this.#pair, this.#authority] as const;
      try {
        await this.#readFiles();
        if (before[0] !== this.#pair || before[1] !== this.#authority) server.setSecureContext(this.options);
      } catch (error) {
        // A pair that is half written is looked at again; what was there serves on.
        [this.#pair, this.#authority] = before;
        logger.warn('the files of the serving certificate could not be read anew', { error });
      }
    }
  }

  async #readFiles(): Promise<void> {
    const authority = await this.#readAuthority();
    if (String(authority) !== String(this.#authority)) this.#authority = authority;
    const { serverTLSBootstrap, tlsCertFile } = this.#ground.configuration;
    if (serverTLSBootstrap || !tlsCertFile) return;
    const pair = await this.#given();
    if (String(pair.cert) !== String(this.#pair?.cert)) this.#pair = pair;
  }

  #given(): Promise<ServingCertificate> {
    const { tlsCertFile, tlsPrivateKeyFile } = this.#ground.configuration;
    return readPair(tlsCertFile, tlsPrivateKeyFile);
  }

  async #readAuthority(): Promise<Buffer | undefined> {
    const { clientCAFile } = this.#ground.configuration.authentication.x509;
    return clientCAFile ? await readFile(clientCAFile) : undefined;
  }
}
