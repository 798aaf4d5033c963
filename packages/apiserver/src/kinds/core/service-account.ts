import { builtInType, type ServiceAccount } from '@wherry/kubeapi';
import { type ApiObject, as } from '../../objects/api-object.ts';
import type { ResourceHandler } from '../../registry/handler.ts';
import { requestToken, tokenRequestKind } from '../../subresources/token-request.ts';
import { sendUnstored, withoutTable } from '../answers.ts';
import type { ServedKind } from '../definition.ts';

const mountableSecrets = 'kubernetes.io/enforce-mountable-secrets';
const mountableSecretsAdvice = `metadata.annotations[${mountableSecrets}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`;

/** Secrets of an account are named, and nothing else is said of them. */
function keepNames(object: ApiObject): void {
  const account = as<ServiceAccount>(object);
  account.secrets &&= account.secrets.map(({ name }) => (name === undefined ? {} : { name }));
}

/** Service accounts. */
export const serviceAccount: ServedKind = {
  group: '',
  kind: 'ServiceAccount',
  strategy: {
    returnsDeleted: true,
    prepareCreate: keepNames,
    prepareUpdate: keepNames,
    warningsOf({ metadata }, previous) {
      const has = (annotations = {}) => Object.hasOwn(annotations, mountableSecrets);
      return has(metadata.annotations) && !has(previous?.metadata.annotations)
        ? [mountableSecretsAdvice]
        : [];
    },
  },
  handlers: ({ core, tokens }) => {
    const [accounts, pods, secrets, nodes] = [
      ...[core('serviceaccounts'), core('pods'), core('secrets'), core('nodes')],
    ] as const;
    const serve: ResourceHandler = async (asked, wire) => {
      const request = withoutTable(asked);
      const object = await requestToken({ accounts, pods, secrets, nodes, tokens }, request);
      sendUnstored(object, builtInType(tokenRequestKind), { request, wire });
    };
    return { token: { verbs: ['create'], serve } };
  },
};
