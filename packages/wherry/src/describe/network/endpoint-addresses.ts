import { kinds } from '@wherry/client';
import type { EndpointSlice } from '@wherry/kubeapi';
import type { Surroundings } from '../surroundings.ts';

const shownMax = 3;

/** The slices of a service. Throws `StatusError` where they may not be read. */
export const slicesOf = (
  name: string,
  namespace: string | undefined,
  surroundings: Surroundings,
): Promise<EndpointSlice[]> =>
  surroundings.list(kinds.endpointSlices, {
    ...{ namespace, labelSelector: `kubernetes.io/service-name=${name}` },
  });

/** The first addresses of a port that take connections, and how many more there are. */
export function addressesText(slices: readonly EndpointSlice[], portName: string): string {
  if (slices.length === 0) return '<none>';
  const all = slices.flatMap(({ ports, endpoints }) => {
    const asked = (ports ?? []).filter(({ name = '' }) => name === portName);
    const suffixes = (ports ?? []).length === 0 ? [undefined] : asked.map(({ port }) => port);
    return suffixes.flatMap((port) =>
      (endpoints ?? []).map(({ addresses, conditions }) => ({
        isReady: conditions?.ready !== false,
        text: port === undefined ? (addresses?.[0] ?? '') : withPort(addresses?.[0] ?? '', port),
      })),
    );
  });
  const ready = all.filter(({ isReady }) => isReady).map(({ text }) => text);
  const shown = ready.slice(0, shownMax).join(',');
  return isCut(all) ? `${shown} + ${ready.length - shownMax} more...` : shown;
}

/** Whether something stands behind the last that is shown, be it ready or not, as kubectl counts. */
function isCut(all: readonly { isReady: boolean }[]): boolean {
  let count = 0;
  for (const { isReady } of all) {
    if (count === shownMax) return true;
    if (isReady) count++;
  }
  return false;
}

const withPort = (address: string, port: number): string =>
  `${address.includes(':') ? `[${address}]` : address}:${port}`;
