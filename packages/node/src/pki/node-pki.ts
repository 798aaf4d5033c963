import { serverLayout } from '../layout/cluster.ts';
import type { NodeLayout } from '../layout/layout.ts';
import type { NodeRecord } from '../layout/record.ts';
import { type Pki, pkiPaths } from './pki.ts';

/** A node's own certificates, and the authorities of its cluster, which one node of it holds. */
export const nodePki = (layout: NodeLayout, record: Pick<NodeRecord, 'joins'>): Pki =>
  pkiPaths(layout.pkiDir, serverLayout(layout, record).pkiDir);
