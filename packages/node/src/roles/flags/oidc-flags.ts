import type { ApiserverOptions, OidcOptions } from '@wherry/apiserver';
import { setOwn } from '@wherry/kubeapi/objects';
import { type Command, InvalidArgumentError } from 'commander';
import { collectList } from './flag-values.ts';

/** Upstream's flags about an identity provider, as commander hands them over. */
export interface OidcFlags {
  oidcIssuerUrl?: string;
  oidcClientId?: string;
  oidcCaFile?: string;
  oidcUsernameClaim?: string;
  oidcUsernamePrefix?: string;
  oidcGroupsClaim?: string;
  oidcGroupsPrefix?: string;
  oidcSigningAlgs?: string[];
  oidcRequiredClaim?: Record<string, string>;
}

/** Adds them to a command. */
export function addOidcFlags(command: Command): Command {
  return command
    .option('--oidc-issuer-url <url>', 'identity provider whose ID tokens name users; https alone')
    .option('--oidc-client-id <id>', 'what its tokens are for')
    .option('--oidc-ca-file <file>', 'CA that has certified it (default: the machine’s)')
    .option('--oidc-username-claim <claim>', 'claim with the name (default: sub)')
    .option(
      '--oidc-username-prefix <text>',
      'before the name; - for nothing (default: the URL and #, nothing for the claim email)',
    )
    .option('--oidc-groups-claim <claim>', 'claim with the groups')
    .option('--oidc-groups-prefix <text>', 'before each group')
    .option('--oidc-signing-algs <algorithms>', 'how its tokens are signed (default: RS256)', collectList)
    .option(
      '--oidc-required-claim <claim=value>',
      'what its tokens must say besides; may be repeated',
      collectClaims,
    );
}

function collectClaims(
  text: string,
  previous: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const [, claim, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (claim === undefined || value === undefined) throw new InvalidArgumentError('expected CLAIM=VALUE');
  const claims = { ...previous };
  setOwn(claims, claim, value);
  return claims;
}

/** Each option of an identity provider, and its flag. */
const flagOf = {
  issuerUrl: 'oidcIssuerUrl',
  clientId: 'oidcClientId',
  caFile: 'oidcCaFile',
  usernameClaim: 'oidcUsernameClaim',
  usernamePrefix: 'oidcUsernamePrefix',
  groupsClaim: 'oidcGroupsClaim',
  groupsPrefix: 'oidcGroupsPrefix',
  signingAlgs: 'oidcSigningAlgs',
  requiredClaims: 'oidcRequiredClaim',
} as const satisfies Record<keyof OidcOptions, keyof OidcFlags>;
const named = Object.entries(flagOf);

/** What an API server is started with by these flags. */
export function oidcOptions(flags: OidcFlags): Pick<ApiserverOptions, 'oidc'> {
  const values = new Map(Object.entries(flags));
  const given = named.flatMap(([option, flag]) => (values.has(flag) ? [[option, values.get(flag)]] : []));
  return given.length === 0 ? {} : { oidc: { issuerUrl: '', clientId: '', ...Object.fromEntries(given) } };
}

/** The flags that name this identity provider. */
export function oidcFlags(oidc: OidcOptions): OidcFlags {
  const values = new Map(Object.entries(oidc));
  return Object.fromEntries(
    named.flatMap(([option, flag]) => (values.get(option) === undefined ? [] : [[flag, values.get(option)]])),
  );
}
