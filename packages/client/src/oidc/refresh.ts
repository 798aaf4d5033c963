import { readFileSync } from 'node:fs';
import { type Clock, deadline } from '@wherry/clock';
import { isRecord } from '../config/field-types.ts';
import { readBody } from '../http/body.ts';
import { limits } from '../limits.ts';
import { proxyFromEnvironment } from '../proxy/proxy-from-environment.ts';
import { HttpTransport } from '../transport/http-transport.ts';
import { defaultUserAgent } from '../transport/user-agent.ts';

/** The `config` of an `auth-provider` named `oidc`. */
export type OidcConfig = Readonly<Record<string, string>>;

/** What an identity provider gives for a refresh token. */
export interface RefreshedTokens {
  idToken: string;
  /** Undefined when the old one stays good. */
  refreshToken: string | undefined;
}

const okStatus = 200;
const messageCharactersMax = 80;

/**
 * Asks the identity provider for a new ID token (OpenID Connect Discovery 1.0, section 4; RFC 6749, section 6). Throws
 * `Error` in the words of client-go.
 */
export async function refreshTokens(
  config: OidcConfig,
  { environment, clock }: Pick<SendOptions, 'environment' | 'clock'>,
): Promise<RefreshedTokens> {
  const call = (url: URL, form?: URLSearchParams, authorization?: string) =>
    send({ url, form, authorization, config, environment, clock });
  const endpoint = await tokenEndpoint(config['idp-issuer-url'] ?? '', call);
  const form = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: config['refresh-token'] ?? '',
  });
  const id = config['client-id'] ?? '';
  const secret = config['client-secret'] ?? '';
  const pair = `${formEncoded(id)}:${formEncoded(secret)}`;
  let answer = await call(endpoint, form, `Basic ${Buffer.from(pair).toString('base64')}`);
  if (answer.status >= 400) {
    // Some providers want the client's name in the form instead.
    form.set('client_id', id);
    if (secret) form.set('client_secret', secret);
    answer = await call(endpoint, form);
  }
  return tokensIn(answer);
}

/** As in a form, which the password of a client is by RFC 6749, section 2.3.1. */
function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}

type Call = (url: URL, form?: URLSearchParams, authorization?: string) => Promise<Answer>;

interface Answer {
  status: number;
  text: string;
}

async function tokenEndpoint(issuer: string, call: Call): Promise<URL> {
  const { status, text } = await call(
    new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`),
  );
  if (status !== okStatus) {
    throw new Error(`oidc: failed to query metadata endpoint ${status}: "${brief(text)}"`);
  }
  const endpoint = parseRecord(text, 'oidc: failed to decode provider discovery object')['token_endpoint'];
  const url = typeof endpoint === 'string' ? URL.parse(endpoint) : null;
  if (!url) throw new Error("oidc: discovery object doesn't contain a token_endpoint");
  return url;
}

function tokensIn({ status, text }: Answer): RefreshedTokens {
  if (status >= 300) throw new Error(`failed to refresh token: ${status}: ${brief(text)}`);
  const tokens = parseRecord(text, 'failed to refresh token');
  const idToken = tokens['id_token'];
  const refreshToken = tokens['refresh_token'];
  if (typeof idToken !== 'string') {
    throw new Error(
      'token response did not contain an id_token, either the scope "openid" wasn\'t requested upon login, or the provider doesn\'t support id_tokens as part of the refresh response',
    );
  }
  return { idToken, refreshToken: typeof refreshToken === 'string' ? refreshToken : undefined };
}

interface SendOptions {
  url: URL;
  form: URLSearchParams | undefined;
  authorization: string | undefined;
  config: OidcConfig;
  environment: NodeJS.ProcessEnv;
  clock: Clock;
}

async function send({ url, form, authorization, config, environment, clock }: SendOptions): Promise<Answer> {
  const server = new URL('/', url);
  const transport = new HttpTransport({
    access: {
      server,
      tls: { ca: certificateAuthority(config), rejectUnauthorized: true },
      namespace: '',
      headers: () => ({}),
      proxy: proxyFromEnvironment(server, environment),
    },
    userAgent: defaultUserAgent,
    clock,
  });
  const what = 'asking the identity provider';
  using limit = deadline({ clock, timeoutMs: limits.connectTimeoutMs, what });
  try {
    const response = await transport.request(
      {
        method: form ? 'POST' : 'GET',
        path: url.pathname + url.search,
        headers: {
          ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
          ...(authorization ? { authorization } : {}),
        },
        body: form?.toString(),
        signal: limit.signal,
      },
      { headers: {} },
    );
    const body = await readBody(response, limits.errorBodyBytesMax);
    return { status: response.status, text: new TextDecoder().decode(body) };
  } finally {
    transport.close();
  }
}

function certificateAuthority(config: OidcConfig): Buffer | undefined {
  const data = config['idp-certificate-authority-data'];
  const path = config['idp-certificate-authority'];
  if (data) return Buffer.from(data, 'base64');
  return path ? readFileSync(path) : undefined;
}

function parseRecord(text: string, what: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Said below.
  }
  throw new Error(`${what}: "${brief(text)}" is not a JSON object`);
}

function brief(text: string): string {
  return text.length > messageCharactersMax ? `${text.slice(0, messageCharactersMax)}...` : text.trim();
}
