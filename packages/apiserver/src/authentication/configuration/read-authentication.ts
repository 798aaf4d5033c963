import { child, type JsonObject, type JsonValue, ownValue } from '@wherry/kubeapi';
import { configVersions, readConfigurationDocument } from '../../documents/configuration-document.ts';
import { StrictReader } from '../../documents/strict-reader.ts';
import type {
  AnonymousSettings,
  AuthenticationConfiguration,
  ClaimMappings,
  JwtAuthenticator,
  JwtIssuer,
  Mapping,
  PrefixedMapping,
} from './authentication-configuration.ts';

const issuerFields = [
  ...['url', 'discoveryURL', 'certificateAuthority', 'audiences', 'audienceMatchPolicy'],
  'egressSelectorType',
];

/**
 * An AuthenticationConfiguration (apiserver.config.k8s.io), in YAML or JSON. Throws an Error that names the field that it does
 * not know or that has no such value; whether it makes sense is not looked at.
 */
export function readAuthentication(file: Uint8Array): AuthenticationConfiguration {
  const reader = new AuthenticationReader();
  const root = readConfigurationDocument(file, reader, {
    ...{ kind: 'AuthenticationConfiguration', apiVersions: configVersions('v1', 'v1beta1', 'v1alpha1') },
    fields: ['jwt', 'anonymous'],
  });
  return {
    jwt: reader.list(root, '', 'jwt').map(([path, value]) => reader.authenticator(path, value)),
    anonymous: reader.anonymous(ownValue(root, 'anonymous')),
  };
}

class AuthenticationReader extends StrictReader {
  authenticator(path: string, value: JsonValue): JwtAuthenticator {
    const fields = ['issuer', 'claimValidationRules', 'claimMappings', 'userValidationRules'];
    const object = this.object(path, value, fields);
    return {
      issuer: this.#issuer(child(path, 'issuer'), ownValue(object, 'issuer')),
      claimValidationRules: this.list(object, path, 'claimValidationRules').map(([place, rule]) =>
        this.#texts(place, rule, ['claim', 'requiredValue', 'expression', 'message']),
      ),
      claimMappings: this.#mappings(child(path, 'claimMappings'), ownValue(object, 'claimMappings')),
      userValidationRules: this.list(object, path, 'userValidationRules').map(([place, rule]) =>
        this.#texts(place, rule, ['expression', 'message']),
      ),
    };
  }

  anonymous(value: JsonValue | undefined): AnonymousSettings | undefined {
    if ((value ?? null) === null) return undefined;
    const path = 'anonymous';
    const object = this.object(path, value, ['enabled', 'conditions']);
    return {
      enabled: this.flag(child(path, 'enabled'), ownValue(object, 'enabled')) ?? false,
      paths: this.list(object, path, 'conditions').map(
        ([place, condition]) => this.#texts(place, condition, ['path']).path,
      ),
    };
  }

  #issuer(path: string, value: JsonValue | undefined): JwtIssuer {
    const object = this.object(path, value, issuerFields);
    const text = (name: string) => this.#text(path, object, name);
    return {
      ...{ url: text('url'), discoveryUrl: text('discoveryURL') },
      certificateAuthority: text('certificateAuthority'),
      audiences: this.list(object, path, 'audiences').map(([place, each]) => this.text(place, each)),
      audienceMatchPolicy: text('audienceMatchPolicy'),
      egressSelectorType: text('egressSelectorType'),
    };
  }

  #mappings(path: string, value: JsonValue | undefined): ClaimMappings {
    const object = this.object(path, value, ['username', 'groups', 'uid', 'extra']);
    const prefixed = (name: string): PrefixedMapping => {
      const place = child(path, name);
      const mapping = this.object(place, ownValue(object, name), ['claim', 'prefix', 'expression']);
      const isPrefixed = (ownValue(mapping, 'prefix') ?? null) !== null;
      return {
        ...{
          claim: this.#text(place, mapping, 'claim'),
          expression: this.#text(place, mapping, 'expression'),
        },
        prefix: isPrefixed ? this.#text(place, mapping, 'prefix') : undefined,
      };
    };
    const uid: Mapping = this.#texts(child(path, 'uid'), ownValue(object, 'uid'), ['claim', 'expression']);
    return {
      ...{ username: prefixed('username'), groups: prefixed('groups'), uid },
      extra: this.list(object, path, 'extra').map(([place, each]) =>
        this.#texts(place, each, ['key', 'valueExpression']),
      ),
    };
  }

  #text(path: string, object: JsonObject, name: string): string {
    return this.text(child(path, name), ownValue(object, name));
  }

  /** An object all of whose fields are texts. */
  #texts<Name extends string>(
    path: string,
    value: JsonValue | undefined,
    names: readonly Name[],
  ): Record<Name, string> {
    const object = this.object(path, value, names);
    return Object.fromEntries(names.map((name) => [name, this.#text(path, object, name)])) as Record<
      Name,
      string
    >;
  }
}
