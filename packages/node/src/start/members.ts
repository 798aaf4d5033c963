import { NodeError } from '../errors.ts';
import { memberLayouts, serverLayout } from '../layout/cluster.ts';
import type { NodeLayout } from '../layout/layout.ts';
import { isRunning, type NodeRecord, readRecord } from '../layout/record.ts';
import { endProcess } from '../processes/end-process.ts';

/**
 * Takes further nodes into the cluster of a node, beside those that are in it: its API server and its controllers are told
 * who is on this machine, and start anew where they run without knowing.
 */
export async function takeMembers(
  layout: NodeLayout,
  record: NodeRecord,
  wanted: readonly string[] = [],
): Promise<void> {
  const there = memberLayouts(layout).flatMap((member) => readRecord(member)?.name ?? []);
  const { members: known = [] } = record;
  const members = [...new Set([...known, ...there, ...wanted])].sort();
  if (members.includes(record.name)) {
    throw new NodeError('bad-name', `two nodes of one cluster are called "${record.name}"`);
  }
  if (members.length === known.length) return;
  record.members = members;
  for (const role of ['apiserver', 'controllers'] as const) {
    const identity = record.processes[role];
    if (identity && isRunning(record, role)) await endProcess(identity);
  }
}

/** The record of the node whose cluster is joined, which has to serve. Throws `NodeError` `not-ready`. */
export function serverOf(layout: NodeLayout, joins: string): NodeRecord {
  const server = readRecord(serverLayout(layout, { joins }));
  if (server && isRunning(server, 'apiserver')) return server;
  throw new NodeError('not-ready', `no API server of a node in "${joins}" runs; bring that node up first`);
}
