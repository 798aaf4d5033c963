import assert from 'node:assert/strict';
import type { Clock } from '@wherry/clock';
import type { Node } from '@wherry/kubeapi';
import { silentLogger } from '@wherry/telemetry';
import { NodeReporter, type NodeReporterOptions } from '../src/reporting/node/node-reporter.ts';

interface Given extends Partial<Omit<NodeReporterOptions, 'client' | 'clock'>> {
  clock: Clock;
  /** What the reporter does with nodes: those of `get`, `create` and `patch` that it is to get by with. */
  nodes: object;
}

/** A reporter of node `n1`, which is there already and whose status says nothing, unless told otherwise. */
export function reporterOf({ nodes, ...given }: Given): NodeReporter {
  const client = { resource: () => nodes } as unknown as NodeReporterOptions['client'];
  return new NodeReporter({
    client,
    logger: silentLogger,
    recorder: { record: () => {} },
    nodeName: 'n1',
    registers: false,
    initialNode: () => assert.fail('the node is there'),
    status: async () => ({}) as Node['status'] & object,
    platformLabels: {},
    annotations: {},
    times: { tried: () => {}, registered: () => {}, ready: () => {} },
    updateMs: 10_000,
    reportMs: 20_000,
    onRead: async () => {},
    onRegistered: () => {},
    ...given,
  });
}
