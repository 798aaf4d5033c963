import { type Container, ownValue } from '@wherry/kubeapi';

const fnvOffset = 0x811c9dc5;
const fnvPrime = 0x01000193;

/** FNV-1a, 32 bits. */
export function fnv1a32(bytes: Uint8Array): number {
  let hash = fnvOffset;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, fnvPrime) >>> 0;
  return hash;
}

const goEscapes: Record<string, string> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/**
 * The hash a kubelet stamps on a container, in lower-case hex without padding. It covers name and image alone and is
 * computed byte for byte as upstream does (since 1.31), so that each kubelet adopts the other's containers: FNV-1a-32
 * over Go's `%#v`-like print of the JSON bytes.
 */
export function containerHash(container: Pick<Container, 'name' | 'image'>): string {
  const json = JSON.stringify({ image: container.image ?? '', name: container.name }).replace(
    /[<>&\u2028\u2029]/g,
    (character) => ownValue(goEscapes, character) ?? character,
  );
  const printed = `([]uint8)[${Buffer.from(json, 'utf8').join(' ')}]`;
  return fnv1a32(Buffer.from(printed, 'latin1')).toString(16);
}
