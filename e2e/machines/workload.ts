/** What runs on machines whose nodes die. */
import { podOf } from '../node.ts';

/** So long do pods of workloads stay bound to a node that is not reached. */
const patienceSeconds = 3;

const away = ['not-ready', 'unreachable'].map((what) => ({
  ...{ key: `node.kubernetes.io/${what}`, operator: 'Exists', effect: 'NoExecute' },
  tolerationSeconds: patienceSeconds,
}));

/** Of a pod of that node, which stays whatever becomes of it. */
export const keptOn = (node: string) => ({
  nodeSelector: { 'kubernetes.io/hostname': node },
  tolerations: [{ operator: 'Exists', effect: 'NoExecute' }],
});

/** Would rather be on that node than on others. */
export const preferring = (node: string) => ({
  affinity: {
    nodeAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        {
          weight: 100,
          preference: {
            matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [node] }],
          },
        },
      ],
    },
  },
});

/** One on each node, where that can be. */
export const spread = (app: string) => ({
  topologySpreadConstraints: [
    {
      ...{ maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway' },
      labelSelector: { matchLabels: { app } },
    },
  ],
});

const whoScript = `mkdir -p /www/cgi-bin && printf '#!/bin/sh\\necho; echo $HOSTNAME\\n' > /www/cgi-bin/who &&
  chmod +x /www/cgi-bin/who && exec httpd -f -p 80 -h /www`;

/** A Deployment, StatefulSet or DaemonSet of pods that say who they are at /cgi-bin/who, and the fields of its spec. */
export function workload(kind: string, app: string, spec: object, podSpec: object = {}) {
  const labels = { app };
  const { spec: common } = podOf(app, { command: ['sh', '-c', whoScript] });
  const template = {
    metadata: { labels },
    spec: { ...common, terminationGracePeriodSeconds: 1, tolerations: away, ...podSpec },
  };
  return {
    ...{ apiVersion: 'apps/v1', kind, metadata: { name: app } },
    spec: { selector: { matchLabels: labels }, template, ...spec },
  };
}

export const service = (app: string) => ({
  ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: app } },
  spec: { selector: { app }, ports: [{ port: 80 }] },
});
