import type { ClaimMapping, ClaimRule, UserRule } from '@wherry/kubeapi/access-expressions';
import type { JwtAuthenticator } from './authentication-configuration.ts';

/** A rule with what is said where it does not hold. */
export interface CompiledRule<Rule> {
  expression: string;
  message: string;
  rule: Rule;
}

/** A provider, with its expressions read. */
export interface CompiledJwt {
  authenticator: JwtAuthenticator;
  /** Each is absent where a claim says it, or nothing. */
  username: ClaimMapping | undefined;
  groups: ClaimMapping | undefined;
  uid: ClaimMapping | undefined;
  extra: readonly { key: string; value: ClaimMapping }[];
  claimRules: readonly CompiledRule<ClaimRule>[];
  userRules: readonly CompiledRule<UserRule>[];
}
