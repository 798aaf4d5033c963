/** What expressions see of tokens and their bearers (upstream: plugin/pkg/authenticator/token/oidc). */
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from '../../json/json-value.ts';
import { strictlyUnescapedName } from '../schema/names.ts';
import { JsonList, JsonMap } from '../values/json.ts';
import { CelError, CelMap, CelObject, type Value } from '../values/value.ts';

/** The type of `user`. */
export const userTypeName = 'kubernetes.UserInfo';

/** Who bears a token. */
export interface ClaimedUser {
  name: string;
  uid: string;
  groups: readonly string[];
  extra: Readonly<Record<string, readonly string[]>>;
}

/** What a claim is in CEL: all numbers are `double`. */
function claimValue(value: JsonValue): Value {
  if (Array.isArray(value)) return new JsonList(value, claimValue);
  return isJsonObject(value) ? new NestedClaims(value, claimValue) : value;
}

/** An object inside of a claim: `a__dot__b` means `a.b` and nothing else. */
class NestedClaims extends JsonMap {
  override get(key: Value): Value | undefined {
    return super.get(typeof key === 'string' ? (strictlyUnescapedName(key) ?? key) : key);
  }
}

/**
 * All claims. As upstream's, they have no `size`, nothing is `in` them, and loops over them go over what they say, and not over
 * their names.
 */
class AllClaims extends CelMap {
  override readonly typeName = 'kubernetes.claims';
  readonly #claims: JsonObject;

  constructor(claims: JsonObject) {
    super();
    this.#claims = claims;
  }

  get size(): number {
    return Object.keys(this.#claims).length;
  }

  get(key: Value): Value | undefined {
    const name = typeof key === 'string' ? strictlyUnescapedName(key) : undefined;
    const value = name === undefined ? undefined : ownValue(this.#claims, name);
    return value === undefined ? undefined : claimValue(value);
  }

  *keys(): Iterable<Value> {
    for (const name of Object.keys(this.#claims))
      yield this.get(name) ?? new CelError(`no such key: ${name}`);
  }
}

class UserObject extends CelObject {
  readonly typeName = userTypeName;
  readonly #values: ReadonlyMap<string, Value>;

  constructor({ name, uid, groups, extra }: ClaimedUser) {
    super();
    this.#values = new Map<string, Value>([
      ...([
        ['username', name],
        ['uid', uid],
      ] as const),
      ['groups', claimValue([...groups])],
      ['extra', claimValue(extra as JsonObject)],
    ]);
  }

  get(field: string): Value | undefined {
    return this.#values.get(field);
  }

  fields(): Iterable<string> {
    return this.#values.keys();
  }
}

/** The value of `claims`. */
export const claimsValue = (claims: JsonObject): Value => new AllClaims(claims);

/** The value of `user`. */
export const userValue = (user: ClaimedUser): Value => new UserObject(user);
