import type { IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import type { TestAuthority } from './pki.ts';

interface SigningKey {
  kid: string;
  alg: string;
  privateKey: CryptoKey;
  publicKey: JWK;
}

async function signingKey(kid: string, alg: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicKey: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** An OpenID Connect provider on loopback: its discovery document, its keys, and ID tokens of any claims. */
export class IdentityProvider {
  readonly url: string;
  /** What its discovery document says of itself. Default: its own URL. */
  issuer: string;
  /** What documents at other paths say instead. */
  readonly issuers = new Map<string, string>();
  /** Requests for its discovery document and its keys. */
  discoveries = 0;
  keyReads = 0;
  /** What is answered elsewhere, by paths. */
  readonly elsewhere = new Map<string, (asked: IncomingMessage) => { status?: number; text: string }>();
  #keys: SigningKey[];
  readonly #server: Server;

  private constructor(server: Server, key: SigningKey) {
    this.#server = server;
    this.#keys = [key];
    this.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.issuer = this.url;
    server.on('request', (asked, response) => {
      const url = asked.url ?? '';
      const { status = 200, text } = this.elsewhere.get(url)?.(asked) ?? {
        text: JSON.stringify(this.#answer(url)),
      };
      response.writeHead(status).end(text);
    });
  }

  static async start(authority: TestAuthority): Promise<IdentityProvider> {
    const server = createServer(await authority.issue({ name: 'provider', hosts: ['127.0.0.1'] }));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new IdentityProvider(server, await signingKey('first', 'RS256'));
  }

  /** Signs by a new key from now on; the keys before are forgotten. */
  async rotate(kid: string, alg = 'RS256'): Promise<void> {
    this.#keys = [await signingKey(kid, alg)];
  }

  /** A token with these claims over usual ones; those that are undefined are left out. */
  async token(claims: JWTPayload, header: { kid?: string | undefined } = {}): Promise<string> {
    const [{ alg, kid, privateKey }] = this.#keys as [SigningKey];
    const nowSeconds = Math.floor(Date.now() / 1_000);
    const usual = { iss: this.url, aud: 'wherry', sub: 'ada', exp: nowSeconds + 600 };
    return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg, kid, ...header }).sign(privateKey);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(path: string): object {
    if (path === '/keys') {
      this.keyReads += 1;
      return { keys: this.#keys.map(({ publicKey }) => publicKey) };
    }
    this.discoveries += 1;
    return { issuer: this.issuers.get(path) ?? this.issuer, jwks_uri: `${this.url}/keys` };
  }
}
