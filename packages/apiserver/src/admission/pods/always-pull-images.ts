import { at, child, joinFieldErrors, notSupported, type Pod } from '@wherry/kubeapi';
import { as } from '../../objects/api-object.ts';
import { type AdmissionPlugin, type AdmissionRequest, refused } from '../admission.ts';

const always = 'Always';
const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/**
 * Every start of a container, and every image as a volume, asks the registry, so that nobody uses an image that only somebody else
 * may pull. What runs already is left alone as long as no new image comes.
 */
export function alwaysPullImages(): AdmissionPlugin {
  return {
    name: 'AlwaysPullImages',
    isOffByDefault: true,
    handles: [{ operations: ['CREATE', 'UPDATE'], resources: ['/pods'] }],
    admit(request) {
      if (!bringsImages(request)) return;
      const pod = as<Pod>(request.object!);
      for (const { container } of containersOf(pod)) container.imagePullPolicy = always;
      for (const { image } of pod.spec?.volumes ?? []) if (image) image.pullPolicy = always;
    },
    validate(request) {
      if (!bringsImages(request)) return;
      const errors = policiesOf(as<Pod>(request.object!))
        .filter(({ policy }) => policy !== always)
        .map(({ place, policy = '' }) => notSupported(place, policy, [always]));
      if (errors.length > 0) throw refused(request, joinFieldErrors(errors));
    },
  };
}

function bringsImages({ object, previous }: AdmissionRequest): boolean {
  if (!previous) return true;
  const known = new Set(containersOf(as<Pod>(previous)).map(({ container }) => container.image ?? ''));
  return containersOf(as<Pod>(object!)).some(({ container }) => !known.has(container.image ?? ''));
}

function containersOf({ spec }: Pod) {
  return lists.flatMap((list) =>
    (spec?.[list] ?? []).map((container, index) => ({ container, place: at(child('spec', list), index) })),
  );
}

function policiesOf(pod: Pod): { place: string; policy: string | undefined }[] {
  return [
    ...containersOf(pod).map(({ container, place }) => ({
      place: child(place, 'imagePullPolicy'),
      policy: container.imagePullPolicy,
    })),
    ...(pod.spec?.volumes ?? []).flatMap(({ image }, index) =>
      image
        ? [{ place: child(at('spec.volumes', index), 'image', 'pullPolicy'), policy: image.pullPolicy }]
        : [],
    ),
  ];
}
