import type { Pki } from '../pki/pki.ts';
import type { ControllersFlags } from '../roles/controllers.ts';

/** With which of a node's keys its controllers sign: what kubelets show has another authority than what opens the API. */
export function authorityFlags(pki: Pki) {
  const [clients, kubelets] = [pki.authority('ca'), pki.authority('kubelet-ca')];
  return {
    rootCaFile: pki.caCert,
    serviceAccountPrivateKeyFile: pki.serviceAccountKey,
    clusterSigningKubeApiserverClientCertFile: clients.cert,
    clusterSigningKubeApiserverClientKeyFile: clients.key,
    clusterSigningKubeletClientCertFile: clients.cert,
    clusterSigningKubeletClientKeyFile: clients.key,
    clusterSigningKubeletServingCertFile: kubelets.cert,
    clusterSigningKubeletServingKeyFile: kubelets.key,
  } satisfies Omit<ControllersFlags, 'kubeconfig'>;
}
