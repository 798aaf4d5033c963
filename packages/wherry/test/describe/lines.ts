/** Lines about several objects, and what they are about. */
export const severalLines: Readonly<Record<string, readonly string[]>> = {
  'describe tells of several objects without their events': [
    'describe pods',
    'describe pods -A',
    'describe all -A',
    'describe deploy',
    'describe pvc',
    'describe nodes',
    'describe clusterroles',
    'describe leases -A',
    'describe svc,ep,endpointslices',
    'describe crd',
    'describe apiservices',
  ],
  'describe tells events where they are asked for': [
    'describe pods --show-events',
    'describe node n1 --show-events=false',
    'describe events',
    'describe event four',
  ],
  'describe tells of objects whose names begin with a word': [
    'describe pod ri',
    'describe pvc owned',
    'describe pod nope',
  ],
  'describe reads lists in parts': ['describe sts rich --chunk-size=1', 'describe pod rich --chunk-size=1'],
  'describe takes the version of an autoscaler that tells most': [
    'describe hpa.v1.autoscaling rich',
    'describe hpa.v1.autoscaling',
  ],
  'describe tells which ReplicaSets are a Deployment’s': ['describe rs rich-1', 'describe rs rich-2'],
  'rollout history and undo tell of a revision what its pods are made of': [
    'rollout history deploy/rich',
    'rollout history deploy/rich --revision=1',
    'rollout history deploy/rich --revision=2',
    'rollout undo deploy/rich --to-revision=1 --dry-run=client',
  ],
};

/** The user who may read some kinds, and of pods one alone. */
export const limitedUser = 'ann';

/** What {@link limitedUser} may read. */
export const readableKinds = [
  ...['nodes', 'deployments', 'replicasets', 'statefulsets', 'daemonsets', 'services', 'ingresses', 'jobs'],
  ...['horizontalpodautoscalers', 'poddisruptionbudgets', 'persistentvolumeclaims', 'namespaces'],
  ...['configmaps', 'replicationcontrollers'],
];

/** Lines of {@link limitedUser}. */
export const refusedLines: readonly string[] = [
  ...['pod', 'deploy', 'rs', 'sts', 'ds', 'svc', 'ingress', 'hpa', 'pdb', 'job'].map(
    (kind) => `${kind} rich`,
  ),
  ...['node n1', 'pvc', 'pvc waiting', 'ns shop', 'rc rc', 'sts,ds', 'secret words'],
  ...['cm map', 'cm map --show-events=false', 'cm m --show-events'],
].map((words) => `describe ${words} --as=${limitedUser}`);
