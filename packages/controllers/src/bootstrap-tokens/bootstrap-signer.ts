import { createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { kinds } from '@wherry/client';
import { bootstrapTokenType, type ConfigMap, readBootstrapToken, type Secret } from '@wherry/kubeapi/objects';
import { isLateWrite } from '../machinery/late-write.ts';
import { defineController } from '../machinery/run-controller.ts';

const [namespace, name] = ['kube-public', 'cluster-info'];
const signaturePrefix = 'jws-kubeconfig-';
const watches = {
  configMaps: { type: kinds.configMaps, namespace },
  secrets: { type: kinds.secrets, namespace: 'kube-system', fieldSelector: `type=${bootstrapTokenType}` },
};

/** The JWS of a content that is carried apart (RFC 7515 appendix F), by the secret of a bootstrap token. */
function detachedSignature(content: string, { id, secret }: { id: string; secret: string }): string {
  const encode = (text: string) => Buffer.from(text).toString('base64url');
  const header = encode(JSON.stringify({ alg: 'HS256', kid: id }));
  const mac = createHmac('sha256', secret)
    .update(`${header}.${encode(content)}`)
    .digest('base64url');
  return `${header}..${mac}`;
}

/** Signs the kubeconfig in `kube-public/cluster-info` with each token, so that who holds one can trust what it reads there. */
export const bootstrapSigner = defineController({
  name: 'bootstrap-signer-controller',
  account: 'bootstrap-signer',
  watches,
  writes: ['configmaps'],
  build: ({ cluster, informers }) => ({
    keysOf: {
      configMaps: ({ metadata }) => (metadata?.name === name ? [name] : []),
      secrets: () => [name],
    },
    async reconcile(_key, signal) {
      const configMap = informers.configMaps.objects.get(`${namespace}/${name}`);
      if (!configMap) return;
      const data = signed(configMap, [...informers.secrets.objects.values()], cluster.clock.nowMs());
      if (isDeepStrictEqual(data, configMap.data)) return;
      try {
        await cluster.client.resource(kinds.configMaps).update({ ...configMap, data }, { signal });
      } catch (error) {
        // What changed meanwhile comes again.
        if (!isLateWrite(error)) throw error;
      }
    },
  }),
});

/** The data of `cluster-info` with the signatures of the tokens that there are now, and of no others. */
function signed({ data = {} }: ConfigMap, secrets: readonly Secret[], nowMs: number): Record<string, string> {
  const { kubeconfig } = data;
  if (kubeconfig === undefined) return data;
  const kept = Object.entries(data).filter(([key]) => !key.startsWith(signaturePrefix));
  const tokens = secrets
    .map(readBootstrapToken)
    .filter((token) => token?.usages.signing && token.expiresAtMs > nowMs);
  const signatures = tokens.map((token) => [
    `${signaturePrefix}${token!.id}`,
    detachedSignature(kubeconfig, token!),
  ]);
  return Object.fromEntries([...kept, ...signatures]);
}
