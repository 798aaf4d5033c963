import type { Pod } from '@wherry/kubeapi/objects';
import type { ClusterState } from '../cluster/cluster-state.ts';
import { type ScorePlugin, scoreMax } from './score-plugin.ts';

const mebibyte = 1024 * 1024;
const leastBytes = 23 * mebibyte;
const mostBytesPerContainer = 1000 * mebibyte;

/** Nodes that have the pod's images; an image that few nodes have counts less, so that these do not get every pod. */
export const imageLocality: ScorePlugin = {
  name: 'ImageLocality',
  weight: 1,
  score({ pod }, rooms, cluster) {
    const images = imagesOf(pod).map((name) => ({ name, spread: spreadOf(name, cluster) }));
    const containers = (pod.spec?.containers.length ?? 0) + (pod.spec?.initContainers?.length ?? 0);
    const mostBytes = mostBytesPerContainer * containers;
    return rooms.map((room) => {
      const sizes = images.map(({ name, spread }) => Math.trunc((room.images.get(name) ?? 0) * spread));
      const sum = sizes.reduce((total, size) => total + size, 0);
      const bytes = Math.min(Math.max(sum, leastBytes), mostBytes);
      return Math.trunc((scoreMax * (bytes - leastBytes)) / (mostBytes - leastBytes));
    });
  },
};

function imagesOf({ spec }: Pod): string[] {
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  const volumes = (spec?.volumes ?? []).flatMap(({ image }) => (image?.reference ? [image.reference] : []));
  return [...containers.map(({ image = '' }) => image), ...volumes].map(withTag);
}

/** As nodes name it: the tag of an image that names none is `latest`. */
function withTag(name: string): string {
  return name.lastIndexOf(':') <= name.lastIndexOf('/') ? `${name}:latest` : name;
}

function spreadOf(name: string, cluster: ClusterState): number {
  return cluster.imageHolders(name) / cluster.nodes.length;
}
