import { isDeepStrictEqual } from 'node:util';
import { addressWarnings, dnsSubdomain, type EndpointSlice } from '@wherry/kubeapi';
import { type ApiObject, as } from '../../objects/api-object.ts';
import type { ServedKind } from '../definition.ts';

/** Who makes slices writes addresses in the one way; what they come from is looked at elsewhere. */
const makers: unknown[] = ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io'];

/** Endpoint slices: all of them but metadata is desired, and labels as well. */
export const endpointSlice: ServedKind = {
  group: 'discovery.k8s.io',
  kind: 'EndpointSlice',
  strategy: {
    desired: ({ metadata, ...rest }) => [rest, metadata.labels ?? {}],
    prepareCreate: (object) => dropTopology(object, undefined),
    prepareUpdate: dropTopology,
    warningsOf(object, previous) {
      const { metadata, addressType, endpoints = [] } = as<EndpointSlice>(object);
      const isNamed = !previous && addressType === 'FQDN';
      const maker = metadata.labels?.['endpointslice.kubernetes.io/managed-by'];
      const looked = makers.includes(maker) ? [] : endpoints;
      return [
        ...(isNamed ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
        ...looked.flatMap(({ addresses = [] }, index) =>
          addresses.flatMap((address, at) =>
            addressWarnings(`endpoints[${index}].addresses[${at}]`, address),
          ),
        ),
      ];
    },
  },
};

/**
 * `deprecatedTopology` can't be written any more. Of a slice that is from before and whose endpoints change, the host name in it
 * becomes their `nodeName`.
 */
function dropTopology(object: ApiObject, previous: ApiObject | undefined): void {
  const { endpoints = [] } = as<EndpointSlice>(object);
  const before = (previous && as<EndpointSlice>(previous).endpoints) ?? [];
  if (isDeepStrictEqual(endpoints, before)) return;
  const hostName = 'kubernetes.io/hostname';
  const hostOf = ({ deprecatedTopology: topology = {} }: (typeof endpoints)[number]) =>
    Object.hasOwn(topology, hostName) ? topology[hostName] : undefined;
  const known = new Set(before.map(hostOf));
  for (const endpoint of endpoints) {
    const host = hostOf(endpoint);
    if (host && known.has(host) && dnsSubdomain(host).length === 0) endpoint.nodeName ??= host;
    delete endpoint.deprecatedTopology;
  }
}
