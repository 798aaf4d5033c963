import { isDeepStrictEqual } from 'node:util';
import { kinds } from '@wherry/client';
import { definePerNamespace } from '../machinery/per-namespace.ts';

const description = 'kubernetes.io/description';

/** Gives each namespace the config map `kube-root-ca.crt`, and mends it when it was changed. */
export const rootCaCertificatePublisher = definePerNamespace({
  name: 'root-ca-certificate-publisher-controller',
  account: 'root-ca-cert-publisher',
  type: kinds.configMaps,
  objectName: 'kube-root-ca.crt',
  content: (rootCaPem) => ({ data: { 'ca.crt': rootCaPem } }),
  annotations: {
    [description]:
      'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the ' +
      'internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.',
  },
  isRight: ({ metadata, data }, content) =>
    isDeepStrictEqual({ ...data }, { ...content.data }) && Boolean(metadata?.annotations?.[description]),
});
