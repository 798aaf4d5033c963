import { readFileSync } from 'node:fs';
import type { Server } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import { ClientAuthorities, FollowedFiles } from '@wherry/apiserver/front-proxy';
import { JudgedConnections } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import type { ServingPair } from '@wherry/kubelet/serving-pair';
import type { Logger } from '@wherry/telemetry';
import { tlsOptions } from '@wherry/upgrade';
import type { ComponentFlags } from '../flags/component-flags.ts';
import { limits } from './limits.ts';
import { servingCertificate, servingPaths } from './serving-certificate.ts';

/** What the files say. */
interface Said {
  pair: ServingPair;
  clients: Buffer | undefined;
  proxies: Buffer | undefined;
}

/** What the pages of a component are served with, and whom they trust, as files say that are looked at every five seconds. */
export class ComponentTls {
  /** Who signs certificates of clients and of front proxies. */
  readonly authorities = new ClientAuthorities();
  readonly #flags: ComponentFlags;
  readonly #pairPaths: readonly string[];
  #said: Said;
  #followed: FollowedFiles | undefined;

  private constructor(flags: ComponentFlags, pairPaths: readonly string[], said: Said) {
    this.#flags = flags;
    this.#pairPaths = pairPaths;
    this.#said = said;
    this.#take(said);
  }

  /** Throws when a file can't be read, and NodeError `bad-settings` on half a pair of flags. */
  static async open(flags: ComponentFlags, component: string, nowMs: number): Promise<ComponentTls> {
    const pair = await servingCertificate(flags, component, nowMs);
    const [clients, proxies] = [flags.clientCaFile, flags.requestheaderClientCaFile].map((file) =>
      file ? readFileSync(file) : undefined,
    );
    return new ComponentTls(flags, servingPaths(flags, component) ?? [], { pair, clients, proxies });
  }

  /** Whether the word of proxies counts, that show certificates. */
  get hasProxies(): boolean {
    return this.#said.proxies !== undefined;
  }

  /** What an HTTPS server is made with. */
  get options(): SecureContextOptions & { requestCert: boolean } {
    const { pair, clients, proxies } = this.#said;
    const ca = [clients, proxies].filter((pem) => pem !== undefined);
    const { tlsMinVersion, tlsCipherSuites } = this.#flags;
    return {
      ...{ cert: pair.cert, key: pair.key, requestCert: ca.length > 0 },
      ...(ca.length > 0 && { ca }),
      ...tlsOptions({ tlsMinVersion, tlsCipherSuites }),
    };
  }

  /** Lets a server have what comes. What can't be used is told of, and what was there serves on. */
  follow(server: Server, { clock, logger }: { clock: Clock; logger: Logger }): void {
    const { clientCaFile, requestheaderClientCaFile } = this.#flags;
    const judged = new JudgedConnections(server);
    const { pair, clients, proxies } = this.#said;
    const ofPair = this.#pairPaths.length > 0 ? [Buffer.from(pair.cert), Buffer.from(pair.key)] : [];
    const authorityPaths = [clientCaFile, requestheaderClientCaFile].filter((path) => path !== undefined);
    const paths = [...this.#pairPaths, ...authorityPaths];
    if (paths.length === 0) return;
    const tellUnchanged = (error: unknown) =>
      logger.warn('the files of the serving certificate and of the client CA stay as they were', { error });
    this.#followed = new FollowedFiles({
      ...{ paths, files: [...ofPair, ...[clients, proxies].filter((pem) => pem !== undefined)] },
      ...{ clock, periodMs: limits.servingFilesMs, onUnreadable: tellUnchanged },
      take: async (files) => {
        const before = this.#said;
        const [cert = pair.cert, key = pair.key] = files.slice(0, ofPair.length);
        const rest = files.slice(ofPair.length);
        const next: Said = {
          pair: { cert, key },
          clients: clientCaFile === undefined ? undefined : rest.shift(),
          proxies: rest[0],
        };
        try {
          this.#take(next);
          server.setSecureContext(this.options);
        } catch (error) {
          // A pair that is half written is looked at again.
          this.#take(before);
          tellUnchanged(error);
          return false;
        }
        logger.info('the files of the serving certificate and of the client CA were read anew');
        if (!isSame(before.clients, next.clients) || !isSame(before.proxies, next.proxies)) judged.retire();
        return true;
      },
    });
    this.#followed.follow();
  }

  close(): void {
    this.#followed?.close();
  }

  #take(said: Said): void {
    this.authorities.take(said.clients, said.proxies);
    this.#said = said;
  }
}

const isSame = (one: Buffer | undefined, other: Buffer | undefined) => String(one) === String(other);
