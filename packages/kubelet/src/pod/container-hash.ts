import { type Container, goJson } from '@wherry/kubeapi';

const fnvOffset = 0x811c9dc5;
const fnvPrime = 0x01000193;

/** FNV-1a, 32 bits. */
export function fnv1a32(bytes: Uint8Array): number {
  let hash = fnvOffset;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, fnvPrime) >>> 0;
  return hash;
}

/**
 * The hash a kubelet stamps on a container, in lower-case hex without padding. It covers name and image alone and is
 * computed byte for byte as upstream does (since 1.31), so that each kubelet adopts the other's containers: FNV-1a-32
 * over Go's `%#v`-like print of the JSON bytes.
 */
export function containerHash(container: Pick<Container, 'name' | 'image'>): string {
  const json = goJson({ image: container.image ?? '', name: container.name });
  const printed = `([]uint8)[${Buffer.from(json, 'utf8').join(' ')}]`;
  return fnv1a32(Buffer.from(printed, 'latin1')).toString(16);
}
