import { keyOf, kinds } from '@wherry/client';
import { defineController } from '../machinery/run-controller.ts';
import { protect } from './finalizer.ts';

const watches = { volumes: { type: kinds.persistentVolumes } };

/** A volume that is deleted stays as long as it is bound. */
export const volumeProtection = defineController<typeof watches>({
  name: 'persistentvolume-protection-controller',
  account: 'pv-protection-controller',
  watches,
  writes: ['persistentvolumes'],
  build: ({ cluster: { client }, informers: { volumes } }) => ({
    keysOf: { volumes: (volume) => [keyOf(volume)] },
    async reconcile(key, signal) {
      const volume = volumes.objects.get(key);
      if (!volume) return;
      const [type, finalizer] = [kinds.persistentVolumes, 'kubernetes.io/pv-protection'];
      const isUsed = () => volume.status?.phase === 'Bound';
      await protect({ client, type, finalizer, isUsed }, volume, signal);
    },
  }),
});
