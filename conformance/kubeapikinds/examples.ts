/** One or more sound objects of each kind, without kind and apiVersion: what the mutations start from. */
import type { JsonObject } from '@wherry/kubeapi';
import { apiServices } from './api-services.ts';
import { autoscalers } from './autoscalers.ts';
import { flowSchemas, priorityLevels } from './flow-control.ts';
import { podsWithStatus } from './pods-with-status.ts';
import { policies } from './policies.ts';

const selector: JsonObject = { matchLabels: { app: 'web' } };
const container: JsonObject = {
  name: 'main',
  image: 'busybox:1.36',
  ports: [{ name: 'http', containerPort: 80 }],
  env: [
    { name: 'A', value: 'b' },
    { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
  ],
  resources: { requests: { cpu: '100m', memory: '10Mi' }, limits: { cpu: '1' } },
  volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }],
  livenessProbe: { httpGet: { path: '/', port: 'http' }, initialDelaySeconds: 1 },
  lifecycle: { preStop: { exec: { command: ['true'] } } },
  securityContext: { runAsUser: 1, capabilities: { drop: ['ALL'] } },
};
const podSpec: JsonObject = {
  containers: [container],
  initContainers: [{ name: 'first', image: 'busybox:1.36' }],
  volumes: [
    { name: 'scratch', emptyDir: {} },
    { name: 'settings', configMap: { name: 'settings', items: [{ key: 'a', path: 'b' }] } },
  ],
  tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }],
  affinity: {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, podAffinityTerm: { labelSelector: selector, topologyKey: 'kubernetes.io/hostname' } },
      ],
    },
  },
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: selector },
  ],
};
const template: JsonObject = { metadata: { labels: { app: 'web' } }, spec: podSpec };
const jobTemplate: JsonObject = { spec: { ...podSpec, restartPolicy: 'Never' } };
const inNamespace = { metadata: { name: 'web', namespace: 'default', labels: { app: 'web' } } };
const clusterWide = { metadata: { name: 'web', labels: { app: 'web' } } };
const claimSpec: JsonObject = {
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: '1Gi' } },
  storageClassName: 'fast',
};
const rules: JsonObject[] = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
const subjects: JsonObject[] = [
  { kind: 'User', name: 'me', apiGroup: 'rbac.authorization.k8s.io' },
  { kind: 'ServiceAccount', name: 'web', namespace: 'default' },
];
const roleRef = (kind: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name: 'reader' });
/** `openssl req -new … -subj /O=people/CN=me`, as `spec.request` has it. */
const certificateRequest =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIYU1JR0FBZ0VBTUI0eER6QU5CZ05WQkFvTUJuQm' +
  'xiM0JzWlRFTE1Ba0dBMVVFQXd3Q2JXVXdXVEFUQmdjcQpoa2pPUFFJQkJnZ3Foa2pPUFFNQkJ3TkNBQVRoWUF2cUxF' +
  'WE1WSDdQM084QnR1eUtXbm9PSW54TkJyVi8xZHdXCnVpbnRHRzVxdjYxSFlxYmY5b1ZwZk1oOHlNdktXUnRVWHZGZX' +
  'RobElCT3VRN1gxNG9BQXdDZ1lJS29aSXpqMEUKQXdJRFNRQXdSZ0loQVB6eURIYllqOU1tak9mamVYRGJzTDdWb2NW' +
  'bWJHVlA2Y0RaUzdub1lKZHRBaUVBalNuTgpJOFp1KzdSeTZBajB1MnBJYWV6WXZvMk4xQkVHU2VDenN5RkdkRGM9Ci' +
  '0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=';

/** `apiVersion/kind` → objects. */
const webhook = {
  name: 'check.example.com',
  rules: [
    {
      operations: ['CREATE', 'UPDATE'],
      apiGroups: ['', 'apps'],
      apiVersions: ['v1'],
      resources: ['pods', 'pods/*', '*/scale'],
      scope: 'Namespaced',
    },
  ],
  sideEffects: 'None',
  admissionReviewVersions: ['v1', 'v1beta1'],
};
const webhooks: JsonObject[] = [
  {
    ...webhook,
    clientConfig: {
      service: { namespace: 'default', name: 'web', path: '/check/it', port: 8443 },
      caBundle: 'YQ==',
    },
    namespaceSelector: { matchLabels: { a: 'b' } },
    objectSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] },
    failurePolicy: 'Ignore',
    timeoutSeconds: 3,
    matchPolicy: 'Exact',
  },
  { ...webhook, name: 'other.example.com', clientConfig: { url: 'https://example.com/check' } },
];

export const examples: Readonly<Record<string, readonly JsonObject[]>> = {
  'v1/ConfigMap': [{ ...inNamespace, data: { a: 'b' }, binaryData: { c: 'YQ==' } }],
  'v1/Endpoints': [
    {
      ...inNamespace,
      subsets: [{ addresses: [{ ip: '10.0.0.1', nodeName: 'node' }], ports: [{ name: 'http', port: 80 }] }],
    },
  ],
  'v1/Event': [
    {
      metadata: { name: 'web.1', namespace: 'default' },
      involvedObject: { kind: 'Pod', name: 'web', namespace: 'default' },
      reason: 'Started',
      message: 'started',
      type: 'Normal',
      firstTimestamp: '2026-01-01T00:00:00Z',
      lastTimestamp: '2026-01-01T00:00:00Z',
      count: 1,
      source: { component: 'kubelet' },
    },
  ],
  'v1/LimitRange': [
    {
      ...inNamespace,
      spec: {
        limits: [
          {
            type: 'Container',
            max: { cpu: '2' },
            min: { cpu: '100m' },
            default: { cpu: '1' },
            defaultRequest: { cpu: '500m' },
            maxLimitRequestRatio: { cpu: '4' },
          },
          { type: 'PersistentVolumeClaim', min: { storage: '1Gi' } },
          { type: 'Pod', max: { memory: '1Gi' } },
        ],
      },
    },
  ],
  'v1/Namespace': [{ ...clusterWide, spec: { finalizers: ['kubernetes'] } }],
  'v1/Node': [
    {
      ...clusterWide,
      spec: {
        podCIDR: '10.0.0.0/24',
        podCIDRs: ['10.0.0.0/24'],
        taints: [{ key: 'a', effect: 'NoSchedule' }],
      },
      status: {
        capacity: { cpu: '2', memory: '4Gi', pods: '110' },
        addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
        conditions: [{ type: 'Ready', status: 'True' }],
      },
    },
  ],
  'v1/PersistentVolume': [
    {
      ...clusterWide,
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/data' },
        storageClassName: 'fast',
      },
    },
    {
      ...clusterWide,
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        local: { path: '/data' },
        persistentVolumeReclaimPolicy: 'Delete',
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['node'] }] },
            ],
          },
        },
      },
    },
    {
      ...clusterWide,
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteMany'],
        csi: { driver: 'disk.example.com', volumeHandle: 'one' },
        claimRef: { name: 'web', namespace: 'default' },
      },
    },
  ],
  'v1/PersistentVolumeClaim': [
    { ...inNamespace, spec: claimSpec },
    { ...inNamespace, spec: { ...claimSpec, volumeName: 'web', volumeMode: 'Block', selector } },
  ],
  'v1/Pod': [
    { ...inNamespace, spec: podSpec },
    { ...inNamespace, spec: { containers: [{ name: 'main', image: 'busybox:1.36' }], hostNetwork: true } },
    ...podsWithStatus,
  ],
  'v1/PodTemplate': [{ ...inNamespace, template }],
  'v1/ReplicationController': [{ ...inNamespace, spec: { replicas: 2, selector: { app: 'web' }, template } }],
  'v1/ResourceQuota': [
    {
      ...inNamespace,
      spec: {
        hard: { pods: '10', 'requests.cpu': '2', 'count/deployments.apps': '3' },
      },
    },
    {
      ...inNamespace,
      spec: {
        hard: { pods: '10' },
        scopes: ['NotTerminating'],
        scopeSelector: {
          matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }],
        },
      },
    },
  ],
  'v1/Secret': [
    { ...inNamespace, data: { a: 'YQ==' } },
    { ...inNamespace, type: 'kubernetes.io/tls', data: { 'tls.crt': 'YQ==', 'tls.key': 'YQ==' } },
  ],
  'v1/Service': [
    {
      ...inNamespace,
      spec: {
        selector: { app: 'web' },
        ports: [
          { name: 'http', port: 80, targetPort: 'http' },
          { name: 'dns', port: 53, protocol: 'UDP' },
        ],
      },
    },
    {
      ...inNamespace,
      spec: { type: 'LoadBalancer', selector: { app: 'web' }, ports: [{ port: 80, nodePort: 30080 }] },
    },
    { ...inNamespace, spec: { type: 'ExternalName', externalName: 'example.com' } },
    {
      ...inNamespace,
      spec: {
        ports: [{ port: 80 }],
        clusterIP: '10.96.0.7',
        clusterIPs: ['10.96.0.7', 'fd00:10:96::7'],
        ipFamilies: ['IPv4', 'IPv6'],
        ipFamilyPolicy: 'RequireDualStack',
      },
    },
  ],
  'v1/ServiceAccount': [
    { ...inNamespace, secrets: [{ name: 'token' }], imagePullSecrets: [{ name: 'pull' }] },
  ],
  'apps/v1/ControllerRevision': [{ ...inNamespace, revision: 1, data: { spec: { a: 'b' } } }],
  'apps/v1/DaemonSet': [
    { ...inNamespace, spec: { selector, template, updateStrategy: { type: 'RollingUpdate' } } },
  ],
  'apps/v1/Deployment': [
    {
      ...inNamespace,
      spec: {
        replicas: 2,
        selector,
        template,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: '25%' } },
        progressDeadlineSeconds: 60,
        minReadySeconds: 5,
      },
    },
  ],
  'apps/v1/ReplicaSet': [{ ...inNamespace, spec: { replicas: 2, selector, template } }],
  'apps/v1/StatefulSet': [
    {
      ...inNamespace,
      spec: {
        replicas: 2,
        selector,
        template,
        serviceName: 'web',
        volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claimSpec }],
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Delete' },
        ordinals: { start: 1 },
      },
    },
  ],
  'autoscaling/v2/HorizontalPodAutoscaler': [
    {
      ...inNamespace,
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        minReplicas: 1,
        maxReplicas: 3,
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
          },
          {
            type: 'Pods',
            pods: { metric: { name: 'hits' }, target: { type: 'AverageValue', averageValue: '10' } },
          },
          {
            type: 'Object',
            object: {
              describedObject: { kind: 'Service', name: 'web' },
              metric: { name: 'hits', selector },
              target: { type: 'Value', value: '10' },
            },
          },
          {
            type: 'External',
            external: { metric: { name: 'queue' }, target: { type: 'Value', value: '10' } },
          },
          {
            type: 'ContainerResource',
            containerResource: {
              name: 'cpu',
              container: 'main',
              target: { type: 'Utilization', averageUtilization: 50 },
            },
          },
        ],
        behavior: { scaleDown: { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] } },
      },
      status: { currentReplicas: 1, desiredReplicas: 2, currentMetrics: [] },
    },
  ],
  'batch/v1/CronJob': [
    {
      ...inNamespace,
      spec: {
        schedule: '*/5 * * * *',
        timeZone: 'Europe/Berlin',
        jobTemplate: { spec: { template: jobTemplate } },
        successfulJobsHistoryLimit: 1,
      },
    },
  ],
  'batch/v1/Job': [
    {
      ...inNamespace,
      spec: {
        template: jobTemplate,
        completions: 3,
        parallelism: 2,
        completionMode: 'Indexed',
        backoffLimitPerIndex: 1,
        podFailurePolicy: {
          rules: [
            {
              action: 'FailJob',
              onExitCodes: { containerName: 'main', operator: 'In', values: [1, 2] },
            },
            { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
          ],
        },
        successPolicy: { rules: [{ succeededIndexes: '0-1', succeededCount: 1 }] },
      },
    },
    {
      ...inNamespace,
      spec: {
        template: {
          spec: { ...podSpec, restartPolicy: 'OnFailure' },
        },
      },
    },
  ],
  'certificates.k8s.io/v1/CertificateSigningRequest': [
    {
      ...clusterWide,
      spec: { request: certificateRequest, signerName: 'example.com/signer', usages: ['client auth'] },
      status: { conditions: [{ type: 'Approved', status: 'True', reason: 'r', message: 'm' }] },
    },
  ],
  'coordination.k8s.io/v1/Lease': [
    {
      ...inNamespace,
      spec: {
        holderIdentity: 'me',
        leaseDurationSeconds: 15,
        leaseTransitions: 1,
        renewTime: '2026-01-01T00:00:00.000000Z',
      },
    },
  ],
  'discovery.k8s.io/v1/EndpointSlice': [
    {
      ...inNamespace,
      addressType: 'IPv4',
      endpoints: [
        {
          addresses: ['10.0.0.1'],
          conditions: { ready: true },
          hostname: 'web',
          nodeName: 'node',
          zone: 'a',
          hints: { forZones: [{ name: 'a' }] },
        },
      ],
      ports: [{ name: 'http', port: 80, protocol: 'TCP', appProtocol: 'http' }],
    },
  ],
  'events.k8s.io/v1/Event': [
    {
      metadata: { name: 'web.1', namespace: 'default' },
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingController: 'example.com/controller',
      reportingInstance: 'one',
      action: 'Binding',
      reason: 'Started',
      regarding: { kind: 'Pod', name: 'web', namespace: 'default' },
      note: 'started',
      type: 'Normal',
      series: { count: 2, lastObservedTime: '2026-01-01T00:00:00.000000Z' },
    },
  ],
  'networking.k8s.io/v1/Ingress': [
    {
      ...inNamespace,
      spec: {
        ingressClassName: 'nginx',
        defaultBackend: { service: { name: 'web', port: { name: 'http' } } },
        tls: [{ hosts: ['example.com'], secretName: 'tls' }],
        rules: [
          {
            host: '*.example.com',
            http: {
              paths: [
                {
                  path: '/',
                  pathType: 'Prefix',
                  backend: { service: { name: 'web', port: { number: 80 } } },
                },
                {
                  path: '/x',
                  pathType: 'Exact',
                  backend: { resource: { apiGroup: 'example.com', kind: 'Bucket', name: 'x' } },
                },
              ],
            },
          },
        ],
      },
      status: { loadBalancer: { ingress: [{ ip: '10.0.0.1', ports: [{ port: 80, protocol: 'TCP' }] }] } },
    },
  ],
  'networking.k8s.io/v1/IngressClass': [
    {
      ...clusterWide,
      spec: {
        controller: 'example.com/ingress',
        parameters: {
          apiGroup: 'example.com',
          kind: 'Parameters',
          name: 'x',
          scope: 'Namespace',
          namespace: 'default',
        },
      },
    },
  ],
  'networking.k8s.io/v1/IPAddress': [
    {
      metadata: { name: '10.0.0.1' },
      spec: { parentRef: { group: '', resource: 'services', namespace: 'default', name: 'web' } },
    },
  ],
  'networking.k8s.io/v1/NetworkPolicy': [
    {
      ...inNamespace,
      spec: {
        podSelector: selector,
        policyTypes: ['Ingress', 'Egress'],
        ingress: [
          {
            from: [
              { podSelector: selector, namespaceSelector: selector },
              { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } },
            ],
            ports: [{ protocol: 'TCP', port: 80, endPort: 90 }],
          },
        ],
        egress: [{ to: [{ podSelector: {} }], ports: [{ protocol: 'UDP', port: 'dns' }] }],
      },
    },
  ],
  'networking.k8s.io/v1/ServiceCIDR': [
    { ...clusterWide, spec: { cidrs: ['10.96.0.0/16', '2001:db8::/64'] } },
  ],
  'node.k8s.io/v1/RuntimeClass': [
    {
      ...clusterWide,
      handler: 'runc',
      overhead: { podFixed: { cpu: '10m' } },
      scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'a', operator: 'Exists' }] },
    },
  ],
  'policy/v1/PodDisruptionBudget': [
    { ...inNamespace, spec: { minAvailable: 1, selector, unhealthyPodEvictionPolicy: 'AlwaysAllow' } },
    { ...inNamespace, spec: { maxUnavailable: '50%', selector } },
  ],
  'rbac.authorization.k8s.io/v1/ClusterRole': [
    { ...clusterWide, rules: [...rules, { nonResourceURLs: ['/healthz', '/x/*'], verbs: ['get'] }] },
    { ...clusterWide, aggregationRule: { clusterRoleSelectors: [selector] } },
  ],
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding': [
    { ...clusterWide, subjects, roleRef: roleRef('ClusterRole') },
  ],
  'rbac.authorization.k8s.io/v1/Role': [{ ...inNamespace, rules }],
  'rbac.authorization.k8s.io/v1/RoleBinding': [{ ...inNamespace, subjects, roleRef: roleRef('Role') }],
  'resource.k8s.io/v1/DeviceClass': [
    {
      ...clusterWide,
      spec: {
        selectors: [{ cel: { expression: 'device.driver == "gpu.example.com"' } }],
        config: [{ opaque: { driver: 'gpu.example.com', parameters: { a: 'b' } } }],
      },
    },
  ],
  'resource.k8s.io/v1/ResourceClaim': [
    {
      ...inNamespace,
      spec: {
        devices: {
          requests: [
            { name: 'gpu', exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1 } },
            { name: 'any', firstAvailable: [{ name: 'big', deviceClassName: 'gpu' }] },
          ],
          constraints: [{ requests: ['gpu'], matchAttribute: 'example.com/numa' }],
          config: [{ requests: ['gpu'], opaque: { driver: 'gpu.example.com', parameters: { a: 'b' } } }],
        },
      },
    },
  ],
  'resource.k8s.io/v1/ResourceClaimTemplate': [
    {
      ...inNamespace,
      spec: { spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu' } }] } } },
    },
  ],
  'resource.k8s.io/v1/ResourceSlice': [
    {
      ...clusterWide,
      spec: {
        driver: 'gpu.example.com',
        nodeName: 'node',
        pool: { name: 'pool', generation: 1, resourceSliceCount: 1 },
        devices: [
          {
            name: 'gpu-0',
            attributes: { model: { string: 'a' }, version: { version: '1.0.0' } },
            capacity: { memory: { value: '1Gi' } },
          },
        ],
      },
    },
  ],
  'scheduling.k8s.io/v1/PriorityClass': [{ ...clusterWide, value: 100, description: 'high' }],
  'storage.k8s.io/v1/CSIDriver': [
    {
      ...clusterWide,
      spec: { attachRequired: true, tokenRequests: [{ audience: 'a', expirationSeconds: 3600 }] },
    },
  ],
  'storage.k8s.io/v1/CSINode': [
    {
      ...clusterWide,
      spec: {
        drivers: [
          { name: 'disk.example.com', nodeID: 'n', topologyKeys: ['zone'], allocatable: { count: 3 } },
        ],
      },
    },
  ],
  'storage.k8s.io/v1/CSIStorageCapacity': [
    {
      ...inNamespace,
      storageClassName: 'fast',
      capacity: '1Gi',
      maximumVolumeSize: '1Gi',
      nodeTopology: selector,
    },
  ],
  'storage.k8s.io/v1/StorageClass': [
    {
      ...clusterWide,
      provisioner: 'example.com/disk',
      parameters: { a: 'b' },
      reclaimPolicy: 'Delete',
      volumeBindingMode: 'WaitForFirstConsumer',
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a'] }] }],
    },
  ],
  'storage.k8s.io/v1/VolumeAttachment': [
    {
      ...clusterWide,
      spec: { attacher: 'disk.example.com', nodeName: 'node', source: { persistentVolumeName: 'pv' } },
    },
  ],
  'storage.k8s.io/v1/VolumeAttributesClass': [
    { ...clusterWide, driverName: 'disk.example.com', parameters: { iops: '100' } },
  ],
  // Last: what the kinds before them are asked stays as it was.
  'admissionregistration.k8s.io/v1/MutatingWebhookConfiguration': [
    { ...clusterWide, webhooks: webhooks.map((each) => ({ ...each, reinvocationPolicy: 'IfNeeded' })) },
  ],
  'admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration': [{ ...clusterWide, webhooks }],
  'autoscaling/v1/HorizontalPodAutoscaler': autoscalers,
  ...policies,
  'flowcontrol.apiserver.k8s.io/v1/FlowSchema': flowSchemas,
  'flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration': priorityLevels,
  'apiregistration.k8s.io/v1/APIService': apiServices,
};
