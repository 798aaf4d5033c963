/** Two templates of pods that share names and differ in what they say of them. */
import type { JsonObject } from '@wherry/kubeapi';

export const templates: readonly [JsonObject, JsonObject] = [
  {
    metadata: { labels: { a: 'b', c: 'd' }, annotations: { 'example.com/n': 'o' } },
    spec: {
      containers: [
        {
          ...{ name: 'a', image: 'i', args: ['x', 'y'], env: [{ name: 'E', value: '1' }] },
          ports: [{ containerPort: 80, name: 'h' }],
          volumeMounts: [{ name: 'v', mountPath: '/v' }],
          resources: { limits: { cpu: '1', memory: '1Gi' } },
        },
        { name: 'b', image: 'j', command: ['c'] },
      ],
      volumes: [{ name: 'v', emptyDir: {} }],
      nodeSelector: { x: 'y' },
      tolerations: [{ key: 'k', operator: 'Exists' }],
      hostAliases: [{ ip: '10.0.0.1', hostnames: ['h', 'i'] }],
      imagePullSecrets: [{ name: 's' }],
      securityContext: { runAsUser: 1, supplementalGroups: [1, 2] },
      affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
    },
  },
  {
    metadata: { labels: { a: 'b', c: 'e' } },
    spec: {
      containers: [
        {
          ...{ name: 'a', image: 'k', args: ['y', 'z'], imagePullPolicy: 'Never' },
          env: [
            { name: 'E', value: '2' },
            { name: 'F', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          ],
          ports: [
            { containerPort: 80, protocol: 'TCP', name: 'h' },
            { containerPort: 80, protocol: 'UDP' },
          ],
          volumeMounts: [{ name: 'w', mountPath: '/v', readOnly: true }],
          resources: { limits: { cpu: '2' }, requests: { cpu: '500m' } },
          livenessProbe: { httpGet: { path: '/', port: 80 }, periodSeconds: 3 },
        },
      ],
      volumes: [
        { name: 'w', configMap: { name: 'c', items: [{ key: 'k', path: 'p' }] } },
        { name: 'v', hostPath: { path: '/h' } },
      ],
      initContainers: [{ name: 'z', image: 'i', restartPolicy: 'Always' }],
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 't', whenUnsatisfiable: 'ScheduleAnyway' },
        { maxSkew: 2, topologyKey: 'u', whenUnsatisfiable: 'DoNotSchedule' },
      ],
      tolerations: [{ key: 'l', operator: 'Exists', effect: 'NoExecute' }],
      hostAliases: [{ ip: '10.0.0.1', hostnames: ['i'] }, { ip: '10.0.0.2' }],
      terminationGracePeriodSeconds: 5,
      dnsConfig: { nameservers: ['10.0.0.3'], options: [{ name: 'o', value: '1' }] },
    },
  },
];
