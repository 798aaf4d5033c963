import { readFileSync } from 'node:fs';

/** An identity provider whose ID tokens name users; names follow kube-apiserver's flags. */
export interface OidcOptions {
  /** `https` alone: what its tokens say in `iss`, and what its discovery document lies below. */
  issuerUrl: string;
  /** What its tokens have among their audiences. */
  clientId: string;
  /** PEM of who has certified the provider. Default: the machine's authorities. */
  caFile?: string | undefined;
  /** Claim that is the user's name. Default `sub`. */
  usernameClaim?: string | undefined;
  /** Before the name. Default: the issuer's URL and `#`, nothing for the claim `email`. `-` = nothing. */
  usernamePrefix?: string | undefined;
  /** Claim with the groups, a text or a list of texts. Default: users are in none. */
  groupsClaim?: string | undefined;
  groupsPrefix?: string | undefined;
  /** Default `RS256`. */
  signingAlgs?: readonly string[] | undefined;
  /** Claims that tokens must have, and the texts that they must be. */
  requiredClaims?: Readonly<Record<string, string>> | undefined;
}

/** {@link OidcOptions} with what is usual filled in. */
export interface OidcSettings {
  issuerUrl: string;
  clientId: string;
  caPem: string | undefined;
  usernameClaim: string;
  usernamePrefix: string;
  groupsClaim: string | undefined;
  groupsPrefix: string;
  signingAlgs: readonly string[];
  requiredClaims: Readonly<Record<string, string>>;
}

const knownAlgs = ['RS', 'ES', 'PS'].flatMap((family) => [256, 384, 512].map((bits) => `${family}${bits}`));

/** Throws on what upstream refuses, too; `ownIssuer` is who signs the tokens of service accounts. */
export function oidcSettings(options: OidcOptions, ownIssuer: string): OidcSettings {
  const { issuerUrl, clientId, caFile, usernameClaim = 'sub', usernamePrefix = '' } = options;
  if (issuerUrl === '' || clientId === '')
    throw new Error(
      '--oidc-issuer-url and --oidc-client-id need each other, and are needed by every other --oidc- flag',
    );
  checkIssuer(issuerUrl, ownIssuer);
  const signingAlgs = options.signingAlgs?.length ? options.signingAlgs : ['RS256'];
  const unknown = signingAlgs.find((name) => !knownAlgs.includes(name));
  if (unknown !== undefined)
    throw new Error(`--oidc-signing-algs: "${unknown}" is none of ${knownAlgs.join(', ')}`);
  const usualPrefix = usernameClaim === 'email' ? '' : `${issuerUrl}#`;
  return {
    ...{ issuerUrl, clientId, usernameClaim, signingAlgs },
    caPem: caFile === undefined ? undefined : readFileSync(caFile, 'utf8'),
    usernamePrefix: usernamePrefix === '-' ? '' : usernamePrefix || usualPrefix,
    groupsClaim: options.groupsClaim || undefined,
    groupsPrefix: options.groupsPrefix ?? '',
    requiredClaims: options.requiredClaims ?? {},
  };
}

function checkIssuer(text: string, ownIssuer: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && `${url.username}${url.password}` === '' && !/[?#]/.test(text);
  if (url?.protocol !== 'https:' || !isPlain)
    throw new Error(`--oidc-issuer-url: "${text}" is no https URL without user, query and fragment`);
  if (text === ownIssuer)
    throw new Error(`--oidc-issuer-url: "${text}" is who signs the tokens of service accounts here`);
}
