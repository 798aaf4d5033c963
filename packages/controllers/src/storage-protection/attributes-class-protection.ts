import { keyOf, kinds } from '@wherry/client';
import type { PersistentVolume, PersistentVolumeClaim } from '@wherry/kubeapi/objects';
import { defineController } from '../machinery/run-controller.ts';
import { protect } from './finalizer.ts';

const watches = {
  classes: { type: kinds.volumeAttributesClasses },
  volumes: { type: kinds.persistentVolumes },
  claims: { type: kinds.persistentVolumeClaims },
};

/** A class of volume attributes that is deleted stays as long as a volume or a claim has it, or is to get it. */
export const attributesClassProtection = defineController<typeof watches>({
  name: 'volumeattributesclass-protection-controller',
  watches,
  writes: ['volumeattributesclasses'],
  build: ({ cluster: { client }, informers: { classes, volumes, claims } }) => ({
    keysOf: {
      classes: (attributesClass) => [keyOf(attributesClass)],
      // What they no longer have stands in what they were.
      volumes: ({ spec }, _change, previous) =>
        named([spec.volumeAttributesClassName, previous?.spec.volumeAttributesClassName]),
      claims: (claim, _change, previous) => [...classesOf(claim), ...(previous ? classesOf(previous) : [])],
    },
    async reconcile(key, signal) {
      const attributesClass = classes.objects.get(key);
      if (!attributesClass) return;
      const uses = (volume: PersistentVolume) => volume.spec.volumeAttributesClassName === key;
      const wants = (claim: PersistentVolumeClaim) => classesOf(claim).includes(key);
      // The informers may not have seen what is new: only the server knows that there is none.
      const isUsed = async () =>
        [...volumes.objects.values()].some(uses) ||
        [...claims.objects.values()].some(wants) ||
        (await client.resource(kinds.persistentVolumes).list({ signal })).items.some(uses) ||
        (await client.resource(kinds.persistentVolumeClaims).list({ signal })).items.some(wants);
      const [type, finalizer] = [kinds.volumeAttributesClasses, 'kubernetes.io/vac-protection'];
      await protect({ client, type, finalizer, isUsed }, attributesClass, signal);
    },
  }),
});

function classesOf({ spec, status }: PersistentVolumeClaim): string[] {
  return named([
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ]);
}

const named = (names: readonly (string | undefined)[]) =>
  names.filter((name) => name !== undefined && name !== '') as string[];
