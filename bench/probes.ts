/** What a node costs whose pods are asked all the time how they are. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from './figure.ts';
import { image, type MeasuredNode } from './node.ts';
import { processorShares, sharesText } from './processor-time.ts';

const podCount = 100;
const settleMs = 10_000;
const intervalMs = 30_000;
const port = 8080;
const everySecond = { periodSeconds: 1, timeoutSeconds: 1, failureThreshold: 30 };

/** A pod with three probes each second: two that ask over HTTP, one that connects. */
function probedPod(name: string): object {
  const asked = { ...everySecond, httpGet: { path: '/hostname', port } };
  const connected = { ...everySecond, tcpSocket: { port } };
  const container = (command: string[]) => ({ image, imagePullPolicy: 'IfNotPresent', command });
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { bench: 'probes' } },
    spec: {
      terminationGracePeriodSeconds: 0,
      containers: [
        {
          ...container(['httpd', '-f', '-p', String(port), '-h', '/etc']),
          ...{ name: 'server', livenessProbe: asked, readinessProbe: asked },
        },
        { ...container(['sleep', '86400']), name: 'beside', readinessProbe: connected },
      ],
    },
  };
}

/** The processor time of the node's own processes; what answers the probes runs in the pods and is not counted. */
export async function measureProbes(node: MeasuredNode): Promise<Figure[]> {
  const pods = '/api/v1/namespaces/default/pods';
  const names = Array.from({ length: podCount }, (_, index) => `probed-${index}`);
  await Promise.all(names.map((name) => node.request('POST', pods, probedPod(name))));
  await node.kubectl(['wait', '--for=condition=Ready', 'pods', '-l', 'bench=probes', '--timeout=240s']);
  await sleep(settleMs);
  const shares = await processorShares(await node.processes(), intervalMs);
  const listed = JSON.parse(await node.request('GET', `${pods}?labelSelector=bench%3Dprobes`));
  const restarts = listed.items
    .flatMap(
      ({ status }: { status: { containerStatuses: { restartCount: number }[] } }) => status.containerStatuses,
    )
    .reduce((sum: number, { restartCount }: { restartCount: number }) => sum + restartCount, 0);
  if (restarts > 0) throw new Error(`containers were restarted ${restarts} times: probes failed`);
  await node.kubectl(['delete', 'pods', '-l', 'bench=probes', '--grace-period=0', '--force']);
  return [
    {
      name: `CPU of all parts with ${podCount} pods of three probes each second`,
      value: sharesText(shares),
      upstream: '–',
      aim: '≤ 15 %',
    },
  ];
}
