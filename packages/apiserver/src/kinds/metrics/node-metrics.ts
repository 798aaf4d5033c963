import type { ServedKind } from '../definition.ts';
import { amountsOf, measured, measuredMetadata, timeText, windowText } from './measured.ts';

const gvk = { group: 'metrics.k8s.io', version: 'v1beta1', kind: 'NodeMetrics' };

/** What nodes take: measured when asked, and not stored. */
export const nodeMetrics: ServedKind = {
  ...gvk,
  handlers: (parts) => ({
    '': measured(gvk, parts, parts.core('nodes'), ({ metadata }, cluster) => {
      const usage = cluster.get(metadata.name ?? '')?.node;
      return (
        usage && {
          kind: gvk.kind,
          apiVersion: 'metrics.k8s.io/v1beta1',
          metadata: measuredMetadata(metadata, usage.atMs),
          timestamp: timeText(usage.atMs),
          window: windowText(usage.windowMs),
          usage: amountsOf(usage),
        }
      );
    }),
  }),
};
