/** Who is believed about users (upstream: AuthenticationConfiguration of apiserver.config.k8s.io/v1); '' is what is not said. */

/** A provider whose tokens name users, and how they do. */
export interface JwtAuthenticator {
  issuer: JwtIssuer;
  claimValidationRules: readonly ClaimValidationRule[];
  claimMappings: ClaimMappings;
  userValidationRules: readonly UserValidationRule[];
}

export interface JwtIssuer {
  /** `https` alone: what its tokens say in `iss`. */
  url: string;
  /** Where its discovery document is. '': below its own URL. */
  discoveryUrl: string;
  /** PEM of who has certified it. '': the machine's authorities. */
  certificateAuthority: string;
  /** Its tokens are for one of these. */
  audiences: readonly string[];
  audienceMatchPolicy: string;
  egressSelectorType: string;
}

/** A claim and its text, or an expression in CEL over `claims`. */
export interface ClaimValidationRule {
  claim: string;
  requiredValue: string;
  expression: string;
  message: string;
}

export interface ClaimMappings {
  username: PrefixedMapping;
  groups: PrefixedMapping;
  uid: Mapping;
  extra: readonly ExtraMapping[];
}

/** A claim, or an expression in CEL over `claims`. */
export interface Mapping {
  claim: string;
  expression: string;
}

export interface PrefixedMapping extends Mapping {
  /** Undefined: it is not said, which is no good with a claim. */
  prefix: string | undefined;
}

export interface ExtraMapping {
  key: string;
  valueExpression: string;
}

/** An expression in CEL over `user`. */
export interface UserValidationRule {
  expression: string;
  message: string;
}

/** Whether who shows nothing may ask. */
export interface AnonymousSettings {
  enabled: boolean;
  /** The only paths that he may ask for; none: all. */
  paths: readonly string[];
}

export interface AuthenticationConfiguration {
  jwt: readonly JwtAuthenticator[];
  /** Undefined: it is not said here. */
  anonymous: AnonymousSettings | undefined;
}
