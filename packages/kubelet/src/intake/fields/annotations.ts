import { actedOn, type FieldVerdict, noEffect } from '../../pod/field-verdict.ts';
import { appArmorMissing } from './security.ts';

/** Annotations of pods that change how they run, upstream; a name that ends in a slash stands for all below it. */
export const annotationVerdicts: Readonly<Record<string, FieldVerdict<unknown>>> = {
  'container.apparmor.security.beta.kubernetes.io/': {
    ...actedOn('kubelet/execution/container/app-armor'),
    refused: [appArmorMissing],
  },
  'kubernetes.io/ingress-bandwidth': noEffect(
    'for the pod network: the kubelet hands every annotation to the runtime with the sandbox, as upstream',
  ),
  'kubernetes.io/egress-bandwidth': noEffect('as `kubernetes.io/ingress-bandwidth`'),
};
