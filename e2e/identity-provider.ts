import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Identity } from './proxies.ts';

/** What a client sent to the token endpoint. */
export interface TokenRequest {
  authorization: string | undefined;
  form: Record<string, string>;
}

/** An OpenID Connect provider on loopback that knows how to refresh. */
export interface IdentityProvider extends AsyncDisposable {
  url: string;
  requests: TokenRequest[];
}

/** What it is and what it gives. */
export interface IdentityProviderOptions {
  identity: Identity;
  idToken: string;
  /** Takes the client's name in the form alone, as some do. */
  formOnly?: boolean;
}

/** Starts a provider whose refresh tokens are good once: `refresh-1` is followed by `refresh-2` and so on. */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const { identity, idToken, formOnly = false } = options;
  const requests: TokenRequest[] = [];
  let next = 1;
  const server = createServer(identity, async (request, response) => {
    const answer = (code: number, body: object) =>
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/issuer/.well-known/openid-configuration') {
      answer(200, { token_endpoint: `${origin()}/token` });
      return;
    }
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    const { authorization } = request.headers;
    requests.push({ authorization, form });
    if (formOnly && !form['client_id']) return void answer(401, { error: 'invalid_client' });
    if (form['refresh_token'] !== `refresh-${next}`) return void answer(400, { error: 'invalid_grant' });
    next += 1;
    answer(200, {
      access_token: 'a',
      token_type: 'Bearer',
      id_token: idToken,
      refresh_token: `refresh-${next}`,
    });
  });
  const origin = () => `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `${origin()}/issuer`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
