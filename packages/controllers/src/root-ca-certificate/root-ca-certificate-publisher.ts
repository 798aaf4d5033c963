import { kinds } from '@wherry/client';
import { definePerNamespace } from '../machinery/per-namespace.ts';

/** Gives each namespace the config map `kube-root-ca.crt`, and mends it when it was changed. */
export const rootCaCertificatePublisher = definePerNamespace({
  name: 'root-ca-certificate-publisher-controller',
  type: kinds.configMaps,
  objectName: 'kube-root-ca.crt',
  content: (rootCaPem) => ({ data: { 'ca.crt': rootCaPem } }),
  isRight: ({ data }, content) => data?.['ca.crt'] === content.data?.['ca.crt'],
});
