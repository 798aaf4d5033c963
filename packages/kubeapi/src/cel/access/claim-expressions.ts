/** Expressions that say who bears a token (upstream: apiserver pkg/authentication/cel). */
import type { JsonObject } from '../../json/json-value.ts';
import { Environment } from '../environment.ts';
import { anyValue, listOf, mapOf, objectNamed, string, type Type } from '../types.ts';
import { CelList } from '../values/value.ts';
import { AccessExpression, AccessExpressionError } from './access-expression.ts';
import { type ClaimedUser, claimsValue, userTypeName, userValue } from './claim-values.ts';

const userFields: ReadonlyMap<string, Type> = new Map([
  ...(['username', 'uid'] as const).map((name) => [name, string] as const),
  ['groups', listOf(string)],
  ['extra', mapOf(string, listOf(string))],
]);
const ofClaims = new Environment({ variables: { claims: mapOf(string, anyValue) } });
const ofUser = new Environment({
  variables: { user: objectNamed(userTypeName) },
  fieldType: (owner, field) => (owner === userTypeName ? userFields.get(field) : undefined),
});

/** An expression over the claims of a token: a name, groups, a uid, or what is told besides. */
export class ClaimMapping {
  readonly #expression: AccessExpression;

  /** Throws {@link AccessExpressionError}. Needs `loadPatternEngine`, as all of these. */
  constructor(text: string) {
    this.#expression = new AccessExpression(text, {
      ...{ environment: ofClaims, variable: 'claims', isTruth: false },
    });
  }

  /** Throws {@link AccessExpressionError} where it comes to something else. */
  text(claims: JsonObject): string {
    const value = this.#expression.evaluate(claimsValue(claims));
    if (typeof value === 'string') return value;
    throw this.#wrong('a string');
  }

  /** One is as good as a list, null and '' are none. Throws as above. */
  texts(claims: JsonObject): string[] {
    const value = this.#expression.evaluate(claimsValue(claims));
    if (value === null) return [];
    const all = typeof value === 'string' ? [value] : value instanceof CelList ? [...value] : [undefined];
    const texts = all.filter((item): item is string => typeof item === 'string');
    if (texts.length < all.length) throw this.#wrong('a string or a list of strings');
    return texts.filter((text) => text !== '');
  }

  #wrong(wanted: string): AccessExpressionError {
    return new AccessExpressionError(`expression '${this.#expression.text}' must return ${wanted}`);
  }
}

/** What the claims of a token have to say. */
export class ClaimRule {
  readonly #expression: AccessExpression;

  constructor(text: string) {
    this.#expression = new AccessExpression(text, {
      ...{ environment: ofClaims, variable: 'claims', isTruth: true },
    });
  }

  /** Throws {@link AccessExpressionError} where that can't be said. */
  holds(claims: JsonObject): boolean {
    return this.#expression.holds(claimsValue(claims));
  }
}

/** What has to be so of a token's bearer. */
export class UserRule {
  readonly #expression: AccessExpression;

  constructor(text: string) {
    this.#expression = new AccessExpression(text, {
      ...{ environment: ofUser, variable: 'user', isTruth: true },
    });
  }

  /** Throws as above. */
  holds(user: ClaimedUser): boolean {
    return this.#expression.holds(userValue(user));
  }
}
