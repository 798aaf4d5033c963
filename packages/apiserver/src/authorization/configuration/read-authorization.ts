import { child, type JsonObject, type JsonValue, ownValue, parseDurationMs } from '@wherry/kubeapi';
import { configVersions, readConfigurationDocument } from '../../documents/configuration-document.ts';
import { StrictReader } from '../../documents/strict-reader.ts';
import {
  type AuthorizerConfiguration,
  usualTtls,
  type WebhookConfiguration,
} from './authorization-configuration.ts';

const webhookFields = [
  ...['authorizedTTL', 'cacheAuthorizedRequests', 'unauthorizedTTL', 'cacheUnauthorizedRequests', 'timeout'],
  ...['subjectAccessReviewVersion', 'matchConditionSubjectAccessReviewVersion', 'failurePolicy'],
  ...['connectionInfo', 'matchConditions'],
];

/**
 * The ways of an AuthorizationConfiguration (apiserver.config.k8s.io), in YAML or JSON. Throws an Error that names the field that
 * it does not know or that has no such value; whether it makes sense is not looked at.
 */
export function readAuthorization(file: Uint8Array): AuthorizerConfiguration[] {
  const reader = new AuthorizationReader();
  const root = readConfigurationDocument(file, reader, {
    ...{ kind: 'AuthorizationConfiguration', apiVersions: configVersions('v1', 'v1beta1', 'v1alpha1') },
    fields: ['authorizers'],
  });
  return reader.list(root, '', 'authorizers').map(([path, value]) => reader.authorizer(path, value));
}

class AuthorizationReader extends StrictReader {
  authorizer(path: string, value: JsonValue): AuthorizerConfiguration {
    const object = this.object(path, value, ['type', 'name', 'webhook']);
    const webhook = ownValue(object, 'webhook') ?? null;
    return {
      type: this.#text(path, object, 'type'),
      name: this.#text(path, object, 'name'),
      webhook: webhook === null ? undefined : this.#webhook(child(path, 'webhook'), webhook),
    };
  }

  #webhook(path: string, value: JsonValue): WebhookConfiguration {
    const object = this.object(path, value, webhookFields);
    const place = child(path, 'connectionInfo');
    const connection = this.object(place, ownValue(object, 'connectionInfo'), ['type', 'kubeConfigFile']);
    const isNamed = (ownValue(connection, 'kubeConfigFile') ?? null) !== null;
    const text = (name: string) => this.#text(path, object, name);
    const flag = (name: string) => this.flag(child(path, name), ownValue(object, name)) ?? true;
    return {
      authorizedTtlMs: this.#timeMs(path, object, 'authorizedTTL') || usualTtls.authorizedMs,
      unauthorizedTtlMs: this.#timeMs(path, object, 'unauthorizedTTL') || usualTtls.unauthorizedMs,
      cacheAuthorizedRequests: flag('cacheAuthorizedRequests'),
      cacheUnauthorizedRequests: flag('cacheUnauthorizedRequests'),
      timeoutMs: this.#timeMs(path, object, 'timeout'),
      subjectAccessReviewVersion: text('subjectAccessReviewVersion'),
      matchConditionSubjectAccessReviewVersion: text('matchConditionSubjectAccessReviewVersion'),
      failurePolicy: text('failurePolicy'),
      connectionType: this.#text(place, connection, 'type'),
      kubeConfigFile: isNamed ? this.#text(place, connection, 'kubeConfigFile') : undefined,
      matchConditions: this.list(object, path, 'matchConditions').map(([here, condition]) =>
        this.#text(here, this.object(here, condition, ['expression']), 'expression'),
      ),
    };
  }

  #text(path: string, object: JsonObject, name: string): string {
    return this.text(child(path, name), ownValue(object, name));
  }

  #timeMs(path: string, object: JsonObject, name: string): number {
    const text = this.#text(path, object, name);
    try {
      return text === '' ? 0 : parseDurationMs(text);
    } catch (error) {
      throw new Error(`${child(path, name)}: ${(error as Error).message}`, { cause: error });
    }
  }
}
