import { type AddressFamily, endFlow, flowsTo } from '@wherry/linux';
import type { OrderedFrontend } from './service-state.ts';
import { endpointKey } from './services/endpoints.ts';
import { protocolNumbers } from './table/elements.ts';

const idOf = ({ key }: OrderedFrontend) => key.toString('hex');

/**
 * The kernel leads datagrams of one client where it led the first ones, as long as they keep coming. Flows that go where
 * nothing of the service answers any more are forgotten, so that the next datagram is led anew; those to a pod that answers
 * while it ends, or that no new ones are led to, go on as connections do (upstream: pkg/proxy/conntrack).
 */
export function endStaleFlows(
  family: AddressFamily,
  before: readonly OrderedFrontend[],
  after: readonly OrderedFrontend[],
): void {
  const now = new Map(after.map((frontend) => [idOf(frontend), frontend]));
  const earlier = new Map(before.map((frontend) => [idOf(frontend), frontend]));
  for (const [id, frontend] of new Map([...earlier, ...now])) {
    if (frontend.protocol !== 'UDP') continue;
    const kept = new Set(now.get(id)?.serving.map(endpointKey));
    const had = earlier.get(id)?.serving;
    if (had?.length && had.every((endpoint) => kept.has(endpointKey(endpoint)))) continue;
    const { address, port } = frontend;
    for (const flow of flowsTo({ family, address, protocol: protocolNumbers.UDP, port })) {
      // A node port may be the number of somebody else's port elsewhere, to which nothing is translated.
      const isTranslated = flow.answeredBy.ip !== flow.destination;
      if (kept.has(endpointKey(flow.answeredBy))) continue;
      if (address !== undefined || isTranslated) endFlow(flow);
    }
  }
}
