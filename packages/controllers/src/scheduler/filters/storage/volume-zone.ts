import { ownValue, type PersistentVolume } from '@wherry/kubeapi/objects';
import { nodeLabelKeys, podClaims } from '@wherry/podrules';
import { type FilterPlugin, refuse } from '../filter-plugin.ts';

const refused = refuse('node(s) had no available volume zone', { isFinal: true });

const { zone, region, betaZone, betaRegion } = nodeLabelKeys;
const newName: Readonly<Record<string, string>> = { [betaZone]: zone, [betaRegion]: region };
const keys = [betaZone, betaRegion, zone, region];

/** Volumes whose labels name zones: only nodes of those reach them. A pod's ephemeral volumes are not asked, as upstream. */
export const volumeZone: FilterPlugin = {
  name: 'VolumeZone',
  helpedBy: ['node', 'storage'],
  prepare({ pod }, { objects }) {
    const wanted: { key: string; values: Set<string> }[] = [];
    for (const { claimName, isEphemeral } of podClaims(pod)) {
      const name = objects.claims.get(`${pod.metadata.namespace}/${claimName}`)?.spec.volumeName ?? '';
      if (isEphemeral || name === '') continue;
      const volume = objects.volumes.get(name);
      if (!volume) return { message: `persistentvolume "${name}" not found` };
      wanted.push(...zonesOf(volume));
    }
    if (wanted.length === 0) return undefined;
    return {
      refusal({ labels }) {
        const labelled = (key: string) => ownValue(labels, key);
        if (keys.every((key) => labelled(key) === undefined)) return undefined;
        const fits = wanted.every(({ key, values }) => {
          const value = labelled(key) ?? labelled(ownValue(newName, key) ?? key);
          return value !== undefined && values.has(value);
        });
        return fits ? undefined : refused;
      },
    };
  },
};

/** A label may name several zones, joined by `__`. */
function zonesOf({ metadata }: PersistentVolume): { key: string; values: Set<string> }[] {
  return keys.flatMap((key) => {
    const value = ownValue(metadata.labels ?? {}, key);
    if (value === undefined) return [];
    const values = value.split('__').map((each) => each.trim());
    return values.includes('') ? [] : [{ key, values: new Set(values) }];
  });
}
