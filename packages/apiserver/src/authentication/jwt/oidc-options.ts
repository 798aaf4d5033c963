import { readFileSync } from 'node:fs';
import { SettingsError } from '../../settings-error.ts';
import type { JwtAuthenticator } from '../configuration/authentication-configuration.ts';

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

const knownAlgs = ['RS', 'ES', 'PS'].flatMap((family) => [256, 384, 512].map((bits) => `${family}${bits}`));

/** By what tokens may be signed where nobody says it: as upstream, all that there is. */
export const allSigningAlgs: readonly string[] = knownAlgs;

/** By what tokens may be signed. Throws on what can't be. */
export function signingAlgsOf({ signingAlgs }: OidcOptions): readonly string[] {
  const algs = signingAlgs?.length ? signingAlgs : ['RS256'];
  const unknown = algs.find((name) => !knownAlgs.includes(name));
  if (unknown === undefined) return algs;
  throw new SettingsError(`--oidc-signing-algs: "${unknown}" is none of ${knownAlgs.join(', ')}`);
}

/** The provider that the flags name. Throws where they name none, or its authority's file can't be read. */
export function jwtOfFlags(options: OidcOptions): JwtAuthenticator {
  const { issuerUrl: url, clientId, caFile, usernameClaim = 'sub', usernamePrefix = '' } = options;
  if (url === '' || clientId === '')
    throw new SettingsError(
      '--oidc-issuer-url and --oidc-client-id need each other, and are needed by every other --oidc- flag',
    );
  const usualPrefix = usernameClaim === 'email' ? '' : `${url}#`;
  const prefix = usernamePrefix === '-' ? '' : usernamePrefix || usualPrefix;
  const { groupsClaim = '', groupsPrefix = '', requiredClaims = {} } = options;
  return {
    issuer: {
      ...{ url, discoveryUrl: '', audiences: [clientId], audienceMatchPolicy: '', egressSelectorType: '' },
      certificateAuthority: caFile === undefined ? '' : readFileSync(caFile, 'utf8'),
    },
    claimValidationRules: Object.entries(requiredClaims).map(([claim, requiredValue]) => ({
      ...{ claim, requiredValue, expression: '', message: '' },
    })),
    claimMappings: {
      username: { claim: usernameClaim, prefix, expression: '' },
      groups: { claim: groupsClaim, prefix: groupsPrefix, expression: '' },
      uid: { claim: '', expression: '' },
      extra: [],
    },
    userValidationRules: [],
  };
}
