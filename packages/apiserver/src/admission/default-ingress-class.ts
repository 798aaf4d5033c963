import type { Ingress, IngressClass } from '@wherry/kubeapi';
import { as } from '../objects/api-object.ts';
import type { AdmissionPlugin } from './admission.ts';
import type { PluginParts } from './plugin-parts.ts';

const isDefaultClass = 'ingressclass.kubernetes.io/is-default-class';
/** How ingresses named their class before there was a field. */
const oldClass = 'kubernetes.io/ingress.class';

/** Ingresses that name no class get the default one, the newest should there be several. */
export function defaultIngressClass({ caches }: Pick<PluginParts, 'caches'>): AdmissionPlugin {
  return {
    name: 'DefaultIngressClass',
    handles: [{ operations: ['CREATE'], resources: ['networking.k8s.io/ingresses'] }],
    admit({ object }) {
      const { spec, metadata } = as<Ingress>(object!);
      if (spec?.ingressClassName !== undefined || metadata.annotations?.[oldClass] !== undefined) return;
      const [found] = [...caches.ingressClasses.values()]
        .filter(({ metadata: { annotations } }) => annotations?.[isDefaultClass] === 'true')
        .sort(byAge);
      const name = found?.metadata.name;
      if (name !== undefined) as<Ingress>(object!).spec = { ...spec, ingressClassName: name };
    },
  };
}

function byAge({ metadata: left }: IngressClass, { metadata: right }: IngressClass): number {
  const [a, b] = [left.creationTimestamp ?? '', right.creationTimestamp ?? ''];
  if (a !== b) return a > b ? -1 : 1;
  return (left.name ?? '') < (right.name ?? '') ? -1 : 1;
}
