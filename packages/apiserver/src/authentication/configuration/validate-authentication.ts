/** What has to be so of an AuthenticationConfiguration (upstream: apiserver pkg/apis/apiserver/validation). */
import {
  at,
  child,
  domainPrefixedPath,
  duplicate,
  type FieldError,
  invalidValue,
  joinFieldErrors,
  required,
  tooMany,
} from '@wherry/kubeapi';
import {
  AccessExpressionError,
  ClaimMapping,
  ClaimRule,
  selectsField,
  UserRule,
} from '@wherry/kubeapi/access-expressions';
import { limits } from '../../limits.ts';
import type {
  AuthenticationConfiguration,
  ClaimMappings,
  JwtAuthenticator,
  PrefixedMapping,
} from './authentication-configuration.ts';
import type { CompiledJwt, CompiledRule } from './compiled-jwt.ts';
import { issuerErrors } from './validate-issuer.ts';

/**
 * Its providers, with their expressions read. Throws an Error with all violations; `more` are others that were found.
 * Needs `loadPatternEngine`.
 */
export function compileAuthentication(
  { jwt, anonymous }: AuthenticationConfiguration,
  { disallowedIssuers, more = [] }: { disallowedIssuers: readonly string[]; more?: readonly FieldError[] },
): CompiledJwt[] {
  if (jwt.length > limits.jwtIssuersMax)
    throw new Error(joinFieldErrors([tooMany('jwt', jwt.length, limits.jwtIssuersMax)]));
  const errors: FieldError[] = [];
  const compiled = jwt.map((authenticator, index) => {
    const path = at('jwt', index);
    const { issuer } = authenticator;
    errors.push(...issuerErrors(child(path, 'issuer'), issuer, disallowedIssuers));
    const compiler = new JwtCompiler(path, authenticator, errors);
    const isBefore = (isSame: (other: JwtAuthenticator) => boolean) => jwt.slice(0, index).some(isSame);
    if (isBefore((other) => other.issuer.url === issuer.url))
      errors.push(duplicate(child(path, 'issuer', 'url'), issuer.url));
    const { discoveryUrl } = issuer;
    if (discoveryUrl !== '' && isBefore((other) => other.issuer.discoveryUrl === discoveryUrl))
      errors.push(duplicate(child(path, 'issuer', 'discoveryURL'), discoveryUrl));
    return compiler.compiled;
  });
  if (anonymous && !anonymous.enabled && anonymous.paths.length > 0) {
    const conditions = anonymous.paths.map((path) => ({ Path: path }));
    const why = 'enabled should be set to true when conditions are defined';
    errors.push(invalidValue('anonymous.conditions', conditions, why));
  }
  errors.push(...more);
  if (errors.length > 0) throw new Error(joinFieldErrors(errors));
  return compiled;
}

/** Reads the expressions of one provider, and notes what breaks a rule. */
class JwtCompiler {
  readonly compiled: CompiledJwt;
  readonly #errors: FieldError[];
  #readsVerified = false;

  constructor(path: string, authenticator: JwtAuthenticator, errors: FieldError[]) {
    this.#errors = errors;
    const { claimValidationRules, claimMappings, userValidationRules } = authenticator;
    const claimRules = this.#claimRules(child(path, 'claimValidationRules'), claimValidationRules);
    const mapped = this.#mappings(child(path, 'claimMappings'), claimMappings);
    const userRules = this.#userRules(child(path, 'userValidationRules'), userValidationRules);
    this.compiled = { authenticator, ...mapped, claimRules, userRules };
  }

  #claimRules(path: string, rules: JwtAuthenticator['claimValidationRules']): CompiledRule<ClaimRule>[] {
    const claims = new Set<string>();
    const expressions = new Set<string>();
    return rules.flatMap(({ claim, requiredValue, expression, message }, index) => {
      const here = at(path, index);
      const place = child(here, 'expression');
      if (claim !== '' && expression !== '')
        this.#refuse(here, claim, "claim and expression can't both be set");
      else if (claim === '' && expression === '')
        this.#errors.push(required(here, 'claim or expression is required'));
      else if (claim !== '') {
        if (message !== '')
          this.#refuse(child(here, 'message'), message, 'may not be specified when claim is set');
        if (isRepeated(claims, claim)) this.#errors.push(duplicate(child(here, 'claim'), claim));
      } else {
        const why = 'may not be specified when expression is set';
        if (requiredValue !== '') this.#refuse(child(here, 'requiredValue'), requiredValue, why);
        if (isRepeated(expressions, expression)) this.#errors.push(duplicate(place, expression));
        else return this.#rule(place, { expression, message }, (text) => new ClaimRule(text), true);
      }
      return [];
    });
  }

  #userRules(path: string, rules: JwtAuthenticator['userValidationRules']): CompiledRule<UserRule>[] {
    const seen = new Set<string>();
    return rules.flatMap((rule, index) => {
      const place = child(at(path, index), 'expression');
      if (rule.expression === '') this.#errors.push(required(place));
      else if (isRepeated(seen, rule.expression)) this.#errors.push(duplicate(place, rule.expression));
      else return this.#rule(place, rule, (text) => new UserRule(text), false);
      return [];
    });
  }

  #rule<Rule>(
    place: string,
    { expression, message }: { expression: string; message: string },
    compile: (text: string) => Rule,
    isOfClaims: boolean,
  ): CompiledRule<Rule>[] {
    const rule = this.#compile(place, expression, compile);
    if (rule !== undefined && isOfClaims) this.#noteVerified(expression);
    return rule === undefined ? [] : [{ expression, message, rule }];
  }

  #mappings(
    path: string,
    { username, groups, uid, extra }: ClaimMappings,
  ): Pick<CompiledJwt, 'username' | 'groups' | 'uid' | 'extra'> {
    const namePath = child(path, 'username');
    const uidPath = child(path, 'uid');
    const before = this.#errors.length;
    const compiled = {
      username: this.#prefixed(namePath, username, true),
      groups: this.#prefixed(child(path, 'groups'), groups, false),
      uid: undefined as ClaimMapping | undefined,
    };
    const isSoundName = !this.#errors.slice(before).some(({ field }) => field.startsWith(namePath));
    if (uid.claim !== '' && uid.expression !== '')
      this.#refuse(uidPath, '', "claim and expression can't both be set");
    else if (uid.expression !== '')
      compiled.uid = this.#mapping(child(uidPath, 'expression'), uid.expression);
    const extras = this.#extra(child(path, 'extra'), extra);
    if (compiled.username && isSoundName) {
      this.#noteVerified(username.expression);
      if (selectsField(username.expression, 'claims', 'email') && !this.#readsVerified)
        this.#refuse(child(namePath, 'expression'), username.expression, unverified);
    }
    return { ...compiled, extra: extras };
  }

  #extra(path: string, mappings: ClaimMappings['extra']): CompiledJwt['extra'] {
    const seen = new Set<string>();
    return mappings.flatMap(({ key, valueExpression: text }, index) => {
      const place = child(at(path, index), 'key');
      const valuePlace = child(at(path, index), 'valueExpression');
      this.#errors.push(...domainPrefixedPath(place, key));
      if (key !== key.toLowerCase()) this.#refuse(place, key, 'must be lowercase');
      if (isReserved(key)) this.#refuse(place, key, reserved);
      if (isRepeated(seen, key)) this.#errors.push(duplicate(place, key));
      else if (text === '') this.#errors.push(required(valuePlace));
      else {
        const value = this.#mapping(valuePlace, text);
        if (value) this.#noteVerified(text);
        return value ? [{ key, value }] : [];
      }
      return [];
    });
  }

  #prefixed(
    path: string,
    { claim, prefix, expression }: PrefixedMapping,
    isRequired: boolean,
  ): ClaimMapping | undefined {
    if (claim !== '' && expression !== '') this.#refuse(path, '', "claim and expression can't both be set");
    else if (expression !== '') {
      const why = 'may not be specified when expression is set';
      if (prefix !== undefined) this.#refuse(child(path, 'prefix'), prefix, why);
      return this.#mapping(child(path, 'expression'), expression);
    } else if (claim === '') {
      if (isRequired) this.#errors.push(required(path, 'claim or expression is required'));
    } else if (prefix === undefined) this.#errors.push(required(child(path, 'prefix'), noPrefix));
    return undefined;
  }

  #mapping(place: string, text: string): ClaimMapping | undefined {
    return this.#compile(place, text, (expression) => new ClaimMapping(expression));
  }

  #compile<T>(place: string, text: string, compile: (text: string) => T): T | undefined {
    try {
      return compile(text);
    } catch (error) {
      if (!(error instanceof AccessExpressionError)) throw error;
      this.#refuse(place, text, error.message);
      return undefined;
    }
  }

  #noteVerified(text: string): void {
    this.#readsVerified ||= selectsField(text, 'claims', 'email_verified');
  }

  #refuse(path: string, value: string, why: string): void {
    this.#errors.push(invalidValue(path, value, why));
  }
}

const noPrefix =
  'prefix is required when claim is set. It can be set to an empty string to disable prefixing';
const reserved = 'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use';
const unverified =
  'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression';

const isReserved = (key: string) => /^(?:[^/]*\.)?(?:kubernetes|k8s)\.io\//.test(key);

/** Whether it is there already; it is from now on. */
function isRepeated(seen: Set<string>, text: string): boolean {
  const isThere = seen.has(text);
  seen.add(text);
  return isThere;
}
