/** The built-in kinds that are patched, each with two objects whose parts patches are made of. */
import type { JsonObject } from '@wherry/kubeapi';
import { customKinds } from './custom-kinds.ts';
import { templates } from './pod-templates.ts';

/** One of them. */
export interface PatchedKind {
  /** The one that is written most, first. */
  apiVersions: readonly [string, ...string[]];
  kind: string;
  plural: string;
  /** Default: true. */
  namespaced?: boolean;
  /** What no object goes without. */
  base: JsonObject;
  /** What an object may have besides, said in two ways. */
  ways: readonly [JsonObject, JsonObject];
  /** Its sub-resources, each with what is written there in two ways. */
  parts?: Readonly<Record<string, readonly [JsonObject, JsonObject]>>;
}

const scale: readonly [JsonObject, JsonObject] = [{ spec: { replicas: 1 } }, { spec: { replicas: 3 } }];
const selector = { matchLabels: { a: 'b' } };
const labelled = { metadata: { labels: { a: 'b' } } };
const [template, otherTemplate] = templates;
const stays = { containers: [{ name: 'a', image: 'i' }] };
const once = { restartPolicy: 'Never', containers: [{ name: 'a', image: 'i' }] };
const condition = (type: string, status: string, more: JsonObject = {}) => ({ type, status, ...more });
const said = { reason: 'R', message: 'm', lastTransitionTime: '2024-01-01T00:00:00Z' };

/** Of /O=o/CN=c. */
const certificateRequest = [
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIVE1Ib0NBUUF3R0RFS01BZ0dBMVVFQXd3Qll6RUtNQWdHQTFV',
  'RUNnd0JiekJaTUJNR0J5cUdTTTQ5QWdFRwpDQ3FHU000OUF3RUhBMElBQkVNQVZxaXprWkczcXpFTXVoN3RhbE5PQ3JGTVZPOUl4',
  'SEF3MFBlRTdVMWV0ajl3CmNCa2Q4RXpkVG5NSUJiS0RDSElycGZ4eStRVXg3VEpaOStIMWZnV2dBREFLQmdncWhrak9QUVFEQWdO',
  'SkFEQkcKQWlFQXdScjArZ2dyNkV2RmZsV0YvWEh4MW1WcnJQSHRuTXZ4NEdEYXo0T3RLeGNDSVFEc2JEcFBBTmdlMzJVaQpUNHFO',
  'aUFLYitzMU1HelBKcXV5U1plL294KzFJcEE9PQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K',
].join('');

const workloads: readonly PatchedKind[] = [
  {
    ...{ apiVersions: ['apps/v1'], kind: 'Deployment', plural: 'deployments' },
    base: { spec: { selector, template: { ...labelled, spec: stays } } },
    ways: [
      { spec: { replicas: 1, template, strategy: { type: 'Recreate' }, paused: true, minReadySeconds: 1 } },
      {
        spec: {
          ...{ replicas: 2, template: otherTemplate, revisionHistoryLimit: 3, progressDeadlineSeconds: 9 },
          strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: '25%' } },
        },
      },
    ],
    parts: {
      status: [
        { status: { replicas: 2, conditions: [condition('Available', 'True', said)] } },
        {
          status: {
            ...{ replicas: 3, readyReplicas: 1, observedGeneration: 1 },
            conditions: [condition('Available', 'False', said), condition('Progressing', 'True')],
          },
        },
      ],
      scale,
    },
  },
  {
    ...{ apiVersions: ['apps/v1'], kind: 'StatefulSet', plural: 'statefulsets' },
    base: { spec: { selector, serviceName: 's', template: { ...labelled, spec: stays } } },
    ways: [
      { spec: { replicas: 1, template, updateStrategy: { type: 'OnDelete' }, ordinals: { start: 1 } } },
      {
        spec: {
          ...{ replicas: 2, template: otherTemplate, minReadySeconds: 2 },
          updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
          persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
        },
      },
    ],
    parts: { status: [{ status: { replicas: 1 } }, { status: { replicas: 2, readyReplicas: 1 } }], scale },
  },
  {
    ...{ apiVersions: ['apps/v1'], kind: 'ReplicaSet', plural: 'replicasets' },
    base: { spec: { selector, template: { ...labelled, spec: stays } } },
    ways: [{ spec: { replicas: 1, template } }, { spec: { replicas: 2, minReadySeconds: 2 } }],
    parts: {
      status: [
        { status: { replicas: 1, conditions: [condition('ReplicaFailure', 'True')] } },
        {
          status: { replicas: 2, readyReplicas: 1, conditions: [condition('ReplicaFailure', 'False', said)] },
        },
      ],
      scale,
    },
  },
  {
    ...{ apiVersions: ['batch/v1'], kind: 'CronJob', plural: 'cronjobs' },
    base: { spec: { schedule: '* * * * *', jobTemplate: { spec: { template: { spec: once } } } } },
    ways: [
      { spec: { suspend: true, concurrencyPolicy: 'Forbid', jobTemplate: { spec: { backoffLimit: 1 } } } },
      {
        spec: {
          ...{
            schedule: '@daily',
            startingDeadlineSeconds: 30,
            successfulJobsHistoryLimit: 1,
            timeZone: 'UTC',
          },
          jobTemplate: {
            metadata: { labels: { j: 'k' } },
            spec: { template: { spec: { ...once, activeDeadlineSeconds: 4 } } },
          },
        },
      },
    ],
    parts: {
      status: [
        { status: { active: [{ kind: 'Job', name: 'j' }], lastScheduleTime: '2020-01-01T00:00:00Z' } },
        { status: { active: [{ kind: 'Job', name: 'k', namespace: 'n' }] } },
      ],
    },
  },
  {
    ...{ apiVersions: ['v1'], kind: 'PodTemplate', plural: 'podtemplates' },
    base: { template: { spec: stays } },
    ways: [{ template }, { template: otherTemplate }],
  },
  {
    ...{ apiVersions: ['v1'], kind: 'Pod', plural: 'pods' },
    base: { spec: { automountServiceAccountToken: false, terminationGracePeriodSeconds: 0, ...stays } },
    ways: [
      {
        spec: {
          containers: [{ name: 'a', image: 'j' }],
          tolerations: [{ key: 'k', operator: 'Exists' }],
          activeDeadlineSeconds: 9,
        },
      },
      {
        spec: {
          containers: [{ name: 'a', image: 'k', resources: { requests: { cpu: '1' } } }],
          tolerations: [
            { key: 'k', operator: 'Exists', effect: 'NoSchedule' },
            { key: 'l', operator: 'Equal', value: 'v', effect: 'NoExecute', tolerationSeconds: 5 },
          ],
          schedulingGates: [{ name: 'example.com/g' }],
        },
      },
    ],
    parts: {
      status: [
        {
          status: {
            ...{ phase: 'Running', podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] },
            conditions: [condition('Ready', 'True', said)],
          },
        },
        {
          status: {
            ...{
              phase: 'Pending',
              podIPs: [{ ip: '10.0.0.2' }],
              message: 'm',
              hostIPs: [{ ip: '10.0.0.9' }],
            },
            conditions: [condition('Ready', 'False'), condition('example.com/x', 'True', { reason: 'R' })],
            containerStatuses: [
              { name: 'a', ready: true, restartCount: 1, image: 'i', imageID: '', started: null },
            ],
          },
        },
      ],
      ephemeralcontainers: [
        { spec: { ephemeralContainers: [{ name: 'e', image: 'i' }] } },
        {
          spec: {
            ephemeralContainers: [
              { name: 'e', image: 'i' },
              { name: 'f', image: 'j', targetContainerName: 'a', tty: true },
            ],
          },
        },
      ],
      resize: [
        { spec: { containers: [{ name: 'a', resources: { requests: { cpu: '2' } } }] } },
        {
          spec: { containers: [{ name: 'a', resources: { requests: { cpu: '1' }, limits: { cpu: '1' } } }] },
        },
      ],
    },
  },
];

const core: readonly PatchedKind[] = [
  {
    ...{ apiVersions: ['v1'], kind: 'ConfigMap', plural: 'configmaps', base: {} },
    ways: [
      { data: { x: '1', y: '2' }, binaryData: { b: 'eA==' } },
      { data: { x: '2', z: '' }, binaryData: { c: 'eHg=' }, immutable: false },
    ],
  },
  {
    ...{ apiVersions: ['v1'], kind: 'Secret', plural: 'secrets', base: {} },
    ways: [
      { data: { x: 'eA==', y: 'eQ==' }, stringData: { x: 's' } },
      { data: { x: 'eHg=' }, stringData: { z: 't' }, type: 'example.com/t' },
    ],
  },
  {
    ...{ apiVersions: ['v1'], kind: 'Service', plural: 'services' },
    base: { spec: { ports: [{ port: 80, name: 'h' }] } },
    ways: [
      {
        spec: {
          ...{ selector: { a: 'b' }, sessionAffinity: 'ClientIP', externalIPs: ['192.0.2.1'] },
          ports: [
            { port: 80, name: 'h', targetPort: 8080 },
            { port: 81, name: 's', protocol: 'UDP' },
          ],
        },
      },
      {
        spec: {
          ...{ selector: { a: 'c', d: 'e' }, internalTrafficPolicy: 'Local', publishNotReadyAddresses: true },
          ports: [
            { port: 80, name: 'h', protocol: 'TCP', targetPort: 'web', appProtocol: 'http' },
            { port: 82, name: 't' },
          ],
          sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } },
        },
      },
    ],
    parts: {
      status: [
        {
          status: {
            loadBalancer: { ingress: [{ ip: '192.0.2.1' }] },
            conditions: [condition('X', 'True', said)],
          },
        },
        {
          status: {
            conditions: [condition('X', 'False', said), condition('Y', 'Unknown', said)],
          },
        },
      ],
    },
  },
  {
    ...{ apiVersions: ['v1'], kind: 'ServiceAccount', plural: 'serviceaccounts', base: {} },
    ways: [
      { secrets: [{ name: 's' }], imagePullSecrets: [{ name: 'p' }], automountServiceAccountToken: true },
      {
        secrets: [{ name: 's', namespace: 'n' }, { name: 't' }],
        imagePullSecrets: [{ name: 'q' }, { name: 'p' }],
      },
    ],
  },
  {
    ...{ apiVersions: ['v1'], kind: 'Endpoints', plural: 'endpoints', base: {} },
    ways: [
      { subsets: [{ addresses: [{ ip: '10.1.0.1' }], ports: [{ port: 80 }] }] },
      {
        subsets: [
          {
            addresses: [{ ip: '10.1.0.2', hostname: 'h' }],
            ports: [{ port: 81, name: 'n', protocol: 'UDP' }],
          },
          { notReadyAddresses: [{ ip: '10.1.0.1' }], ports: [{ port: 80 }] },
        ],
      },
    ],
  },
  {
    ...{ apiVersions: ['v1'], kind: 'Node', plural: 'nodes', namespaced: false, base: {} },
    ways: [
      { spec: { taints: [{ key: 't', effect: 'NoSchedule' }], unschedulable: true, podCIDR: '10.2.0.0/24' } },
      {
        spec: {
          taints: [
            { key: 't', value: 'v', effect: 'NoSchedule' },
            { key: 'u', effect: 'NoExecute' },
          ],
          ...{ podCIDR: '10.2.0.0/24', podCIDRs: ['10.2.0.0/24'], providerID: 'p://x' },
        },
      },
    ],
    parts: {
      status: [
        {
          status: {
            ...{
              capacity: { cpu: '1', memory: '1Gi' },
              addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
            },
            conditions: [condition('Ready', 'True', said)],
          },
        },
        {
          status: {
            ...{ capacity: { cpu: '2', 'example.com/d': '3' }, images: [{ names: ['n'], sizeBytes: 5 }] },
            addresses: [
              { type: 'InternalIP', address: '10.0.0.2' },
              { type: 'Hostname', address: 'h' },
            ],
            conditions: [condition('Ready', 'False'), condition('DiskPressure', 'False', { reason: 'R' })],
            volumesAttached: [{ name: 'v', devicePath: 'd' }],
          },
        },
      ],
    },
  },
  {
    ...{ apiVersions: ['v1'], kind: 'PersistentVolumeClaim', plural: 'persistentvolumeclaims' },
    base: {
      spec: {
        ...{ accessModes: ['ReadWriteOnce'], storageClassName: 'c' },
        resources: { requests: { storage: '1Gi' } },
      },
    },
    ways: [
      { spec: { volumeName: 'v', selector: { matchLabels: { a: 'b' } } } },
      { spec: { resources: { requests: { storage: '2Gi' } }, volumeMode: 'Filesystem' } },
    ],
    parts: {
      status: [
        { status: { phase: 'Bound', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] } },
        {
          status: {
            ...{ phase: 'Pending', allocatedResources: { storage: '2Gi' } },
            conditions: [condition('Resizing', 'True'), condition('FileSystemResizePending', 'False', said)],
          },
        },
      ],
    },
  },
  {
    ...{ apiVersions: ['v1'], kind: 'PersistentVolume', plural: 'persistentvolumes', namespaced: false },
    base: {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/x', type: '' },
      },
    },
    ways: [
      { spec: { persistentVolumeReclaimPolicy: 'Retain', storageClassName: 'c', mountOptions: ['a', 'b'] } },
      {
        spec: {
          ...{ persistentVolumeReclaimPolicy: 'Recycle', capacity: { storage: '2Gi' }, mountOptions: ['b'] },
          accessModes: ['ReadOnlyMany', 'ReadWriteOnce'],
          claimRef: { kind: 'PersistentVolumeClaim', namespace: 'n', name: 'c' },
        },
      },
    ],
    parts: {
      status: [{ status: { phase: 'Bound' } }, { status: { phase: 'Failed', message: 'm', reason: 'r' } }],
    },
  },
  {
    ...{ apiVersions: ['v1'], kind: 'ResourceQuota', plural: 'resourcequotas', base: {} },
    ways: [
      { spec: { hard: { 'count/x.example.com': '5', 'requests.example.com/d': '1' } } },
      { spec: { hard: { 'count/x.example.com': '6' }, scopes: ['BestEffort', 'NotTerminating'] } },
    ],
    parts: {
      status: [
        { status: { hard: { 'count/x.example.com': '5' }, used: { 'count/x.example.com': '1' } } },
        { status: { used: { 'count/x.example.com': '2000m' } } },
      ],
    },
  },
  {
    ...{ apiVersions: ['v1', 'events.k8s.io/v1'], kind: 'Event', plural: 'events' },
    base: {},
    ways: [
      {
        ...{
          involvedObject: { kind: 'Pod', name: 'p', namespace: '«namespace»' },
          reason: 'R',
          message: 'm',
        },
        ...{ type: 'Normal', count: 1, source: { component: 'c' }, firstTimestamp: '2024-01-01T00:00:00Z' },
      },
      {
        ...{ involvedObject: { kind: 'Pod', name: 'p', namespace: '«namespace»' }, reason: 'S', count: 2 },
        ...{ type: 'Warning', series: { count: 2, lastObservedTime: '2024-01-01T00:00:00.000001Z' } },
        ...{ eventTime: '2024-01-01T00:00:00.000000Z', action: 'A', reportingComponent: 'example.com/c' },
        ...{ reportingInstance: 'i', related: { kind: 'Pod', name: 'q' } },
      },
    ],
  },
];

const rule = {
  apiGroups: ['none.example.com'],
  apiVersions: ['v1'],
  operations: ['CREATE'],
  resources: ['nones'],
};

const others: readonly PatchedKind[] = [
  {
    ...{ apiVersions: ['autoscaling/v2', 'autoscaling/v1'], kind: 'HorizontalPodAutoscaler' },
    plural: 'horizontalpodautoscalers',
    base: { spec: { maxReplicas: 5, scaleTargetRef: { kind: 'Deployment', name: 'd' } } },
    ways: [
      {
        spec: {
          ...{ minReplicas: 1, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } },
          metrics: [
            {
              type: 'Resource',
              resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
            },
          ],
        },
      },
      {
        spec: {
          ...{ minReplicas: 2, maxReplicas: 6, targetCPUUtilizationPercentage: 40 },
          metrics: [
            {
              type: 'Resource',
              resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } },
            },
            {
              type: 'Pods',
              pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '100m' } },
            },
          ],
          behavior: {
            scaleDown: {
              stabilizationWindowSeconds: 5,
              policies: [{ type: 'Pods', value: 1, periodSeconds: 5 }],
            },
            scaleUp: { selectPolicy: 'Min' },
          },
        },
      },
    ],
    parts: {
      status: [
        {
          status: {
            currentReplicas: 1,
            desiredReplicas: 2,
            conditions: [condition('AbleToScale', 'True', said)],
          },
        },
        {
          status: {
            ...{ currentReplicas: 2, desiredReplicas: 2, observedGeneration: 1 },
            conditions: [condition('AbleToScale', 'False'), condition('ScalingActive', 'True')],
            currentMetrics: [
              { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 7 } } },
            ],
          },
        },
      ],
    },
  },
  {
    ...{ apiVersions: ['networking.k8s.io/v1'], kind: 'NetworkPolicy', plural: 'networkpolicies' },
    base: { spec: { podSelector: {} } },
    ways: [
      {
        spec: {
          ...{ podSelector: { matchLabels: { a: 'b' } }, policyTypes: ['Ingress'] },
          ingress: [{ ports: [{ port: 80 }], from: [{ podSelector: {} }] }],
        },
      },
      {
        spec: {
          policyTypes: ['Ingress', 'Egress'],
          podSelector: { matchExpressions: [{ key: 'k', operator: 'In', values: ['v', 'w'] }] },
          egress: [
            { to: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }] },
            {
              ports: [
                { port: 'web', protocol: 'UDP' },
                { port: 1, endPort: 9 },
              ],
            },
          ],
        },
      },
    ],
  },
  {
    ...{ apiVersions: ['networking.k8s.io/v1'], kind: 'Ingress', plural: 'ingresses' },
    base: { spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } },
    ways: [
      {
        spec: {
          rules: [
            {
              host: 'h.example.com',
              http: {
                paths: [
                  { path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 1 } } } },
                ],
              },
            },
          ],
        },
      },
      {
        spec: {
          ...{ tls: [{ hosts: ['h.example.com'], secretName: 's' }], ingressClassName: 'c' },
          rules: [{ host: 'i.example.com' }],
          defaultBackend: { service: { name: 't', port: { name: 'n' } } },
        },
      },
    ],
    parts: {
      status: [
        { status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } },
        {
          status: { loadBalancer: { ingress: [{ hostname: 'h', ports: [{ port: 80, protocol: 'TCP' }] }] } },
        },
      ],
    },
  },
  {
    ...{ apiVersions: ['discovery.k8s.io/v1'], kind: 'EndpointSlice', plural: 'endpointslices' },
    base: { addressType: 'IPv4', endpoints: [], ports: [] },
    ways: [
      {
        endpoints: [{ addresses: ['10.1.0.1'], conditions: { ready: true } }],
        ports: [{ name: 'p', port: 80 }],
      },
      {
        endpoints: [
          { addresses: ['10.1.0.2'], hostname: 'h', zone: 'z', targetRef: { kind: 'Pod', name: 'p' } },
          { addresses: ['10.1.0.1'], deprecatedTopology: { t: 'u' } },
        ],
        ports: [{ name: '', port: 81, protocol: 'UDP' }],
      },
    ],
  },
  {
    ...{ apiVersions: ['rbac.authorization.k8s.io/v1'], kind: 'Role', plural: 'roles', base: {} },
    ways: [
      { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }] },
      {
        rules: [
          { apiGroups: ['apps'], resources: ['*'], verbs: ['*'], resourceNames: ['n'] },
          { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
        ],
      },
    ],
  },
  {
    ...{ apiVersions: ['rbac.authorization.k8s.io/v1'], kind: 'ClusterRole', plural: 'clusterroles' },
    ...{ namespaced: false, base: {} },
    ways: [
      { rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] },
      { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
    ],
  },
  {
    ...{ apiVersions: ['rbac.authorization.k8s.io/v1'], kind: 'RoleBinding', plural: 'rolebindings' },
    base: { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' } },
    ways: [
      { subjects: [{ kind: 'User', name: 'u', apiGroup: 'rbac.authorization.k8s.io' }] },
      {
        subjects: [
          { kind: 'ServiceAccount', name: 's', namespace: 'n' },
          { kind: 'Group', name: 'g' },
        ],
      },
    ],
  },
  {
    ...{ apiVersions: ['admissionregistration.k8s.io/v1'], kind: 'ValidatingAdmissionPolicy' },
    ...{ plural: 'validatingadmissionpolicies', namespaced: false },
    base: { spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }] } },
    ways: [
      {
        spec: {
          ...{ failurePolicy: 'Ignore', variables: [{ name: 'v', expression: '1' }] },
          validations: [{ expression: 'variables.v == 1', message: 'm' }],
          matchConditions: [{ name: 'c', expression: 'true' }],
        },
      },
      {
        spec: {
          variables: [
            { name: 'v', expression: '2' },
            { name: 'w', expression: '"x"' },
          ],
          matchConditions: [
            { name: 'd', expression: 'false' },
            { name: 'c', expression: 'object != null' },
          ],
          auditAnnotations: [{ key: 'k', valueExpression: '"x"' }],
          matchConstraints: { matchPolicy: 'Exact', excludeResourceRules: [rule] },
        },
      },
    ],
    parts: {
      status: [
        { status: { observedGeneration: 1, conditions: [condition('X', 'True', said)] } },
        { status: { typeChecking: { expressionWarnings: [{ fieldRef: 'f', warning: 'w' }] } } },
      ],
    },
  },
  {
    ...{ apiVersions: ['admissionregistration.k8s.io/v1'], kind: 'ValidatingWebhookConfiguration' },
    ...{ plural: 'validatingwebhookconfigurations', namespaced: false, base: {} },
    ways: [
      {
        webhooks: [
          {
            ...{ name: 'a.example.com', sideEffects: 'None', admissionReviewVersions: ['v1'], rules: [rule] },
            clientConfig: { url: 'https://none.example.com/x' },
          },
        ],
      },
      {
        webhooks: [
          {
            ...{
              name: 'b.example.com',
              sideEffects: 'NoneOnDryRun',
              admissionReviewVersions: ['v1', 'v1beta1'],
            },
            clientConfig: { service: { namespace: 'n', name: 's' } },
            ...{ rules: [rule], timeoutSeconds: 3, matchConditions: [{ name: 'c', expression: 'true' }] },
          },
          {
            ...{
              name: 'a.example.com',
              sideEffects: 'None',
              admissionReviewVersions: ['v1'],
              failurePolicy: 'Ignore',
            },
            clientConfig: { url: 'https://none.example.com/y' },
          },
        ],
      },
    ],
  },
  {
    ...{ apiVersions: ['coordination.k8s.io/v1'], kind: 'Lease', plural: 'leases', base: {} },
    ways: [
      { spec: { holderIdentity: 'h', leaseDurationSeconds: 5, renewTime: '2024-01-01T00:00:00.000000Z' } },
      { spec: { holderIdentity: 'i', leaseTransitions: 1, acquireTime: '2024-01-01T00:00:00.000001Z' } },
    ],
  },
  {
    ...{ apiVersions: ['policy/v1'], kind: 'PodDisruptionBudget', plural: 'poddisruptionbudgets', base: {} },
    ways: [
      { spec: { minAvailable: 1, selector } },
      {
        spec: {
          minAvailable: '50%',
          unhealthyPodEvictionPolicy: 'AlwaysAllow',
          selector: { matchLabels: { c: 'd' } },
        },
      },
    ],
    parts: {
      status: [
        { status: { disruptionsAllowed: 1, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 } },
        {
          status: {
            disruptedPods: { p: '2024-01-01T00:00:00Z' },
            conditions: [condition('X', 'True', said)],
          },
        },
      ],
    },
  },
  {
    ...{
      apiVersions: ['storage.k8s.io/v1'],
      kind: 'StorageClass',
      plural: 'storageclasses',
      namespaced: false,
    },
    base: { provisioner: 'example.com/p' },
    ways: [
      { parameters: { a: 'b' }, allowVolumeExpansion: true, mountOptions: ['x'] },
      {
        ...{ reclaimPolicy: 'Retain', allowVolumeExpansion: false, mountOptions: ['y', 'x'] },
        allowedTopologies: [{ matchLabelExpressions: [{ key: 'k', values: ['v'] }] }],
      },
    ],
  },
  {
    ...{ apiVersions: ['storage.k8s.io/v1'], kind: 'CSINode', plural: 'csinodes', namespaced: false },
    base: { spec: { drivers: [] } },
    ways: [
      { spec: { drivers: [{ name: 'd', nodeID: 'n', topologyKeys: ['k'] }] } },
      {
        spec: {
          drivers: [
            { name: 'e', nodeID: 'n', allocatable: { count: 5 } },
            { name: 'd', nodeID: 'n' },
          ],
        },
      },
    ],
  },
  {
    ...{ apiVersions: ['scheduling.k8s.io/v1'], kind: 'PriorityClass', plural: 'priorityclasses' },
    ...{ namespaced: false, base: { value: 5 } },
    ways: [
      { description: 'd', preemptionPolicy: 'Never' },
      { description: 'e', globalDefault: false },
    ],
  },
  {
    ...{ apiVersions: ['certificates.k8s.io/v1'], kind: 'CertificateSigningRequest' },
    ...{ plural: 'certificatesigningrequests', namespaced: false },
    base: { spec: { request: certificateRequest, signerName: 'example.com/s', usages: ['client auth'] } },
    ways: [{ spec: { expirationSeconds: 700 } }, { spec: { usages: ['digital signature', 'client auth'] } }],
    parts: {
      approval: [
        { status: { conditions: [condition('Approved', 'True', { reason: 'R' })] } },
        { status: { conditions: [condition('Denied', 'True'), condition('X', 'True', { message: 'm' })] } },
      ],
      status: [
        { status: { conditions: [condition('Failed', 'True', { reason: 'R' })] } },
        { status: { conditions: [condition('X', 'True'), condition('Y', 'False', said)] } },
      ],
    },
  },
  {
    ...{ apiVersions: ['apps/v1'], kind: 'ControllerRevision', plural: 'controllerrevisions' },
    base: { revision: 1 },
    ways: [{ data: { a: { b: [1, { c: 'd' }] }, n: 1.5 } }, { revision: 2, data: { a: { e: null }, $x: 1 } }],
  },
  {
    ...{ apiVersions: ['resource.k8s.io/v1'], kind: 'ResourceClaim', plural: 'resourceclaims' },
    base: { spec: {} },
    ways: [
      { spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }] } } },
      { spec: { devices: { requests: [{ name: 's', exactly: { deviceClassName: 'c', count: 2 } }] } } },
    ],
    parts: {
      status: [
        { status: { reservedFor: [{ resource: 'pods', name: 'p', uid: 'u' }] } },
        {
          status: {
            reservedFor: [
              { resource: 'pods', name: 'q', uid: 'v' },
              { resource: 'pods', name: 'p', uid: 'u' },
            ],
          },
        },
      ],
    },
  },
];

export const patchedKinds: readonly PatchedKind[] = [...workloads, ...core, ...others, ...customKinds];
