/** Clusters made by chance, and a pod that looks for a place in each: few names and values, so that they often meet. */
import type { Pod } from '@wherry/kubeapi';
import type { WrittenCluster } from '../../packages/controllers/test/cluster-of.ts';
import type { SeededRandom } from '../../packages/kubeapi/test/random-object.ts';

/**
 * Upstream leaves pods on their way out out of what a spread counts, and takes them off it all the same when it supposes
 * them gone (podtopologyspread, updateWithPod), so that a domain may have fewer than none: nobody leaves where that decides.
 */
function keepSpreadsCountable({ spec }: Pod, pods: readonly Pod[]): void {
  const isHeld = spec?.topologySpreadConstraints?.some(
    ({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule',
  );
  if (isHeld) for (const { metadata } of pods) delete metadata.deletionTimestamp;
}

/** What a scheduler is asked. */
export interface SchedulingQuestion extends WrittenCluster {
  pod: Pod;
}

const zones = ['z1', 'z2', 'z3'];
const topologyKeys = ['topology.kubernetes.io/zone', 'kubernetes.io/hostname', 'rack'];
const namespaces = ['default', 'other', 'third'];
const apps = ['web', 'db', 'cache'];
const images = ['a', 'b:1', 'registry/c:latest'];
const waitingClaims = ['w0', 'w1'];
/** One that is not there, and others that {@link ClusterMaker} makes wrong. */
const oddClaims = ['gone', 'immediate', 'lost', 'leaving', 'homeless'];
const sizes = ['1Gi', '2Gi', '2500M', '5G'];
const mebibyte = 1024 * 1024;

/** No node runs two pods that have one of its ports. */
function keepPortsApart(pods: readonly Pod[]): void {
  const taken = new Set<string>();
  for (const { spec, status } of pods) {
    const node = spec?.nodeName ?? status?.nominatedNodeName;
    for (const container of [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])]) {
      container.ports = (container.ports ?? []).filter(({ hostPort }) => {
        const isFree = !taken.has(`${node} ${hostPort}`);
        taken.add(`${node} ${hostPort}`);
        return isFree;
      });
    }
  }
}

export class ClusterMaker {
  readonly #random: SeededRandom;
  #sequence = 0;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  make(): SchedulingQuestion {
    this.#sequence = 0;
    // Half of the questions are about clusters so full that somebody has to go.
    const isFull = this.#random.below(2) === 0;
    const names = Array.from({ length: 1 + this.#random.below(6) }, (_, index) => `n${index}`);
    const nodes = names.map((name) => this.#node(name, isFull));
    const podCount = this.#random.below(isFull ? 16 : 10);
    const pods = Array.from({ length: podCount }, () => this.#placed(names, isFull));
    const volumes = ['v0', 'v1', 'v2'].map((name) => this.#volume(name));
    const nominated = this.#several(2, () => this.#nominated(names));
    keepPortsApart([...pods, ...nominated]);
    const question = {
      pod: this.#pod('new', isFull),
      ...{ nodes, pods, nominated },
      volumes: [...volumes, ...this.#several(3, () => this.#freeVolume())],
      claims: [
        ...volumes.map(({ spec }) => this.#claim(spec.claimRef.name)),
        ...waitingClaims.map((name) => this.#waitingClaim(name, names)),
        ...this.#oddClaims(),
        ...this.#several(1, () => this.#ephemeralClaim()),
      ],
      classes: this.#classes(),
      drivers: [{ metadata: { name: 'csi' }, spec: { storageCapacity: this.#pick([true, true, false]) } }],
      capacities: this.#several(3, () => this.#capacity()),
      namespaces: namespaces.map((name) => ({
        metadata: { name, labels: { team: this.#pick(['x', 'y']) } },
      })),
      services: this.#several(2, () => ({
        metadata: { name: `s${this.#next()}`, namespace: this.#pick(namespaces) },
        spec: { selector: { app: this.#pick(apps) } },
      })),
      replicaSets: [
        {
          metadata: { name: 'rs', namespace: 'default' },
          spec: { selector: { matchLabels: { app: this.#pick(apps) } } },
        },
      ],
      budgets: this.#several(2, () => ({
        metadata: { name: `b${this.#next()}`, namespace: this.#pick(namespaces) },
        spec: { selector: this.#selector() },
        status: { disruptionsAllowed: this.#random.below(2), disruptedPods: {} },
      })),
      csiNodes: names.slice(1).map((name) => ({
        metadata: { name },
        spec: { drivers: [{ name: 'csi', nodeID: name, allocatable: { count: 1 + this.#random.below(2) } }] },
      })),
    };
    keepSpreadsCountable(question.pod, pods);
    // As it arrives: what is undefined is not there.
    return JSON.parse(JSON.stringify(question));
  }

  #pick<T>(list: readonly T[]): T {
    return this.#random.pick(list);
  }

  #rarely<T>(times: number, make: () => T): T | undefined {
    return this.#random.below(times) === 0 ? make() : undefined;
  }

  #several<T>(max: number, make: () => T): T[] {
    return Array.from({ length: this.#random.below(max + 1) }, make);
  }

  #next(): number {
    this.#sequence += 1;
    return this.#sequence;
  }

  #node(name: string, isFull: boolean): object & { metadata: { name: string } } {
    const taint = () => ({
      key: this.#pick(['k', 'l']),
      value: this.#pick(['v', '']),
      effect: this.#pick(['NoSchedule', 'NoExecute', 'PreferNoSchedule', 'PreferNoSchedule']),
    });
    const isCordoned = this.#random.below(12) === 0;
    const cordon = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
    return {
      metadata: {
        name,
        labels: {
          'kubernetes.io/hostname': name,
          'topology.kubernetes.io/zone': this.#random.below(5) > 0 ? this.#pick(zones) : undefined,
          rack: this.#rarely(2, () => this.#pick(['r1', 'r2'])),
          disk: this.#rarely(2, () => 'ssd'),
          cores: this.#rarely(2, () => this.#pick(['4', '8', '16', 'many'])),
        },
      },
      spec: {
        taints: [...(this.#rarely(3, () => this.#several(2, taint)) ?? []), ...(isCordoned ? [cordon] : [])],
        unschedulable: isCordoned || undefined,
      },
      status: {
        conditions: [{ type: 'Ready', status: 'True' }],
        declaredFeatures: this.#rarely(2, () => ['RestartAllContainersOnContainerExits']),
        allocatable: {
          cpu: this.#pick(isFull ? ['1', '2'] : ['2', '4', '7500m']),
          memory: this.#pick(['2Gi', '4Gi', '10G']),
          pods: this.#pick(isFull ? ['3', '5', '110'] : ['8', '110']),
          'example.com/gpu': this.#rarely(3, () => '1'),
          'ephemeral-storage': this.#rarely(2, () => '5Gi'),
          'hugepages-2Mi': this.#rarely(2, () => '4Mi'),
        },
        images: this.#several(3, () => ({
          names: [this.#pick(['a:latest', 'b:1', 'registry/c:latest'])],
          sizeBytes: this.#pick([10, 90, 700, 2500]) * mebibyte,
        })),
      },
    } as never;
  }

  #volume(name: string) {
    const zone = 'topology.kubernetes.io/zone';
    return {
      metadata: { name, labels: { [zone]: this.#rarely(2, () => this.#pick([...zones, 'z1__z2'])) } },
      spec: { csi: { driver: 'csi', volumeHandle: name }, claimRef: { name: `c${name}` } },
    };
  }

  #claim(name: string): object {
    return {
      metadata: {
        ...{ name, namespace: 'default' },
        annotations: { 'pv.kubernetes.io/bind-completed': 'yes' },
      },
      spec: {
        volumeName: name.slice(1),
        accessModes: [this.#pick(['ReadWriteOnce', 'ReadWriteOnce', 'ReadWriteOncePod'])],
      },
      status: { phase: 'Bound' },
    };
  }

  /** A claim whose volume nobody has found, one that has lost it, one on its way out, and one whose volume is not there. */
  #oddClaims(): object[] {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const bound = { 'pv.kubernetes.io/bind-completed': 'yes' };
    const claim = (name: string, more: object, phase: string, metadata: object = {}) => ({
      metadata: { name, namespace: 'default', ...metadata },
      spec: { ...spec, ...more },
      status: { phase },
    });
    return [
      claim('immediate', {}, 'Pending'),
      claim('lost', { volumeName: 'nowhere' }, 'Lost', { annotations: bound }),
      claim('leaving', { volumeName: 'v0' }, 'Bound', {
        annotations: bound,
        deletionTimestamp: '2026-01-01T00:00:00Z',
      }),
      claim('homeless', { volumeName: 'nowhere' }, 'Bound', { annotations: bound }),
    ];
  }

  /** The claim of the new pod's own volume, or one that stands in its way. */
  #ephemeralClaim(): object {
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'new', uid: 'u-new', controller: true };
    return {
      metadata: {
        ...{ name: 'new-own', namespace: this.#pick(['default', 'other']) },
        annotations: { 'pv.kubernetes.io/bind-completed': 'yes' },
        ownerReferences: this.#pick([[owner], [owner], [{ ...owner, uid: 'u-old' }]]),
      },
      spec: { volumeName: this.#pick(['v0', 'v1']), accessModes: ['ReadWriteOnce'] },
      status: { phase: 'Bound' },
    };
  }

  /** Classes whose claims wait for a pod: of a driver, of it in some zones, and of volumes that somebody made. */
  #classes(): object[] {
    const zone = 'topology.kubernetes.io/zone';
    const waiting = { volumeBindingMode: 'WaitForFirstConsumer' };
    const allowedTopologies = [
      { matchLabelExpressions: [{ key: zone, values: [this.#pick(zones), this.#pick(zones)] }] },
    ];
    return [
      { metadata: { name: 'made' }, provisioner: 'csi', ...waiting },
      { metadata: { name: 'near' }, provisioner: 'csi', ...waiting, allowedTopologies },
      { metadata: { name: 'found' }, provisioner: 'kubernetes.io/no-provisioner', ...waiting },
    ];
  }

  #waitingClaim(name: string, nodes: readonly string[]): object {
    const annotations = this.#rarely(6, () => ({
      'volume.kubernetes.io/selected-node': this.#pick(nodes),
    }));
    return {
      metadata: { name, namespace: 'default', annotations },
      spec: {
        storageClassName: this.#pick(['made', 'made', 'near', 'found']),
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: this.#pick(sizes) } },
      },
      status: { phase: 'Pending' },
    };
  }

  #freeVolume(): object {
    const zone = { key: 'topology.kubernetes.io/zone', operator: 'In', values: [this.#pick(zones)] };
    return {
      metadata: { name: `f${this.#next()}` },
      spec: {
        storageClassName: this.#pick(['made', 'near', 'found', 'found']),
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: this.#pick(sizes) },
        csi: { driver: 'csi', volumeHandle: `f${this.#next()}` },
        nodeAffinity: this.#rarely(2, () => ({
          required: { nodeSelectorTerms: [{ matchExpressions: [zone] }] },
        })),
      },
      status: { phase: 'Available' },
    };
  }

  #capacity(): object {
    return {
      metadata: { name: `cap${this.#next()}`, namespace: this.#pick(namespaces) },
      storageClassName: this.#pick(['made', 'made', 'near']),
      nodeTopology: this.#pick([
        undefined,
        {},
        { matchLabels: { disk: 'ssd' } },
        { matchExpressions: [{ key: 'rack', operator: 'NotIn', values: ['r1'] }] },
      ]),
      capacity: this.#rarely(2, () => this.#pick(sizes)),
      maximumVolumeSize: this.#rarely(3, () => this.#pick(sizes)),
    };
  }

  #selector(): object {
    return this.#random.below(3) > 0
      ? { matchLabels: { app: this.#pick(apps) } }
      : {
          matchExpressions: [
            { key: this.#pick(['app', 'tier']), operator: this.#pick(['Exists', 'DoesNotExist']) },
          ],
        };
  }

  #term(): object {
    return {
      topologyKey: this.#pick(topologyKeys),
      labelSelector: this.#random.below(12) > 0 ? this.#selector() : undefined,
      namespaces: this.#rarely(3, () => this.#several(2, () => this.#pick(namespaces))),
      // Upstream takes the labels of a namespace for none where it asks them a second time: nothing negative here.
      namespaceSelector: this.#rarely(4, () => this.#pick([{}, { matchLabels: { team: 'x' } }])),
    };
  }

  #podAffinity(): object {
    const weighted = () => ({ weight: 1 + this.#random.below(100), podAffinityTerm: this.#term() });
    return {
      requiredDuringSchedulingIgnoredDuringExecution: this.#rarely(2, () =>
        this.#several(2, () => this.#term()),
      ),
      preferredDuringSchedulingIgnoredDuringExecution: this.#rarely(2, () => this.#several(2, weighted)),
    };
  }

  #nodeAffinity(): object {
    const expression = () =>
      this.#pick([
        { key: 'disk', operator: 'In', values: ['ssd'] },
        { key: 'rack', operator: 'NotIn', values: ['r1'] },
        { key: 'topology.kubernetes.io/zone', operator: 'Exists' },
        { key: 'disk', operator: 'DoesNotExist' },
        { key: 'cores', operator: this.#pick(['Gt', 'Lt']), values: [this.#pick(['8', '7'])] },
      ]);
    const field = () => ({
      ...{ key: 'metadata.name', operator: this.#pick(['In', 'In', 'NotIn']) },
      values: [this.#pick(['n0', 'n1', 'n9'])],
    });
    const term = () => ({
      matchExpressions: this.#pick([[expression()], [expression(), expression()], undefined]),
      matchFields: this.#rarely(3, () => this.#several(2, field)),
    });
    return {
      requiredDuringSchedulingIgnoredDuringExecution: this.#rarely(3, () => ({
        nodeSelectorTerms: this.#pick([[term()], [term(), term()]]),
      })),
      preferredDuringSchedulingIgnoredDuringExecution: this.#several(2, () => ({
        weight: 1 + this.#random.below(100),
        preference: term(),
      })),
    };
  }

  #constraint(): object {
    return {
      maxSkew: 1 + this.#random.below(2),
      topologyKey: this.#pick(topologyKeys),
      whenUnsatisfiable: this.#pick(['DoNotSchedule', 'ScheduleAnyway']),
      labelSelector: this.#selector(),
      minDomains: this.#rarely(3, () => 1 + this.#random.below(4)),
      nodeAffinityPolicy: this.#pick([undefined, 'Honor', 'Ignore']),
      nodeTaintsPolicy: this.#pick([undefined, 'Honor', 'Ignore']),
      matchLabelKeys: this.#rarely(4, () => ['tier']),
    };
  }

  #container(name: string, isFull: boolean) {
    const amounts = () => ({
      cpu: this.#rarely(2, () => this.#pick(isFull ? ['500m', '1', '700m'] : ['100m', '250m', '1'])),
      memory: this.#rarely(2, () => this.#pick(['128Mi', '1Gi', '1500M'])),
      'example.com/gpu': this.#rarely(12, () => '1'),
      'ephemeral-storage': this.#rarely(6, () => this.#pick(['1Gi', '3Gi', '0'])),
      'hugepages-2Mi': this.#rarely(12, () => this.#pick(['2Mi', '4Mi'])),
    });
    return {
      ...{ name, image: this.#pick(images), resources: { requests: amounts() } },
      ports: this.#rarely(6, () => [
        {
          ...{ containerPort: 80, hostPort: this.#pick([80, 81]) },
          protocol: this.#pick([undefined, 'TCP', 'UDP']),
          hostIP: this.#pick([undefined, '0.0.0.0', '127.0.0.1', '10.0.0.1']),
        },
      ]),
    };
  }

  #pod(name: string, isFull: boolean): Pod & { spec: object } {
    const namespace = this.#pick(['default', 'default', 'other']);
    const containers = ['a', 'b'].slice(this.#random.below(2));
    return {
      metadata: {
        ...{ name, namespace, uid: `u-${name}` },
        labels: { app: this.#pick(apps), tier: this.#rarely(3, () => this.#pick(['front', 'back'])) },
        ownerReferences: this.#rarely(4, () => [
          { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rs', uid: 'rs', controller: true },
        ]),
      },
      spec: {
        priority: this.#pick(isFull ? [0, 0, 5, 10, 20] : [0, 0, 5]),
        preemptionPolicy: this.#rarely(10, () => 'Never'),
        containers: containers.map((each) => this.#container(each, isFull)),
        initContainers: this.#rarely(4, () => [
          { ...this.#container('i', isFull), restartPolicy: this.#rarely(2, () => 'Always') },
        ]),
        nodeSelector: this.#rarely(8, () => ({ disk: 'ssd' })),
        tolerations: this.#several(2, () => ({
          ...this.#pick([
            { key: this.#pick(['k', 'l', undefined]), operator: 'Exists' },
            { key: this.#pick(['k', 'l']), operator: this.#pick(['Equal', undefined]), value: 'v' },
            { key: this.#pick(['k', 'l']) },
          ]),
          effect: this.#pick([undefined, 'NoSchedule', 'PreferNoSchedule', 'NoExecute']),
        })),
        overhead: this.#rarely(8, () => ({ cpu: '100m', memory: '64Mi' })),
        resources: this.#rarely(6, () => ({
          requests: { cpu: this.#pick(['1', '1500m']), memory: this.#rarely(2, () => '3Gi') },
        })),
        affinity: this.#rarely(2, () => ({
          nodeAffinity: this.#rarely(3, () => this.#nodeAffinity()),
          podAffinity: this.#rarely(3, () => this.#podAffinity()),
          podAntiAffinity: this.#rarely(2, () => this.#podAffinity()),
        })),
        topologySpreadConstraints: this.#rarely(3, () => this.#several(2, () => this.#constraint())),
        volumes: this.#rarely(3, () =>
          this.#random.below(4) === 0
            ? this.#pick<object[]>([
                [{ name: 'image', image: { reference: this.#pick(images) } }],
                name === 'new' ? [{ name: 'own', ephemeral: { volumeClaimTemplate: { spec: {} } } }] : [],
              ])
            : namespace === 'default'
              ? ['v', 'w'].slice(this.#random.below(2)).map((volume, index) => ({
                  name: volume,
                  persistentVolumeClaim: {
                    claimName: this.#pick(
                      index === 0 ? ['cv0', 'cv1', 'w0', 'w0'] : ['cv2', 'w1', 'w1', ...oddClaims],
                    ),
                  },
                }))
              : [],
        ),
      },
    } as never;
  }

  #placed(nodes: readonly string[], isFull: boolean): Pod {
    const sequence = this.#next();
    const pod = this.#pod(`p${sequence}`, isFull);
    if (this.#random.below(8) === 0) pod.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
    pod.spec.nodeName = this.#pick(nodes);
    pod.status = {
      startTime: new Date(1_700_000_000_000 + sequence * 60_000).toISOString().replace('.000', ''),
      ...this.#rarely(4, () => this.#resized(isFull)),
    };
    return pod;
  }

  /** What a kubelet tells of a pod whose amounts were changed. */
  #resized(isFull: boolean): object {
    const told = (name: string) => {
      const { resources } = this.#container(name, isFull);
      return { name, resources, allocatedResources: this.#rarely(2, () => ({ cpu: '300m' })) };
    };
    return {
      containerStatuses: this.#pick([[told('a')], [told('b')], []]),
      initContainerStatuses: this.#pick([[told('i')], []]),
      ...this.#rarely(2, () => ({ resources: { requests: { cpu: this.#pick(['500m', '2']) } } })),
      conditions: [
        { type: 'PodResizePending', status: 'True', reason: this.#pick(['Infeasible', 'Deferred']) },
      ],
    };
  }

  #nominated(nodes: readonly string[]): Pod {
    const pod = this.#pod(`w${this.#next()}`, true);
    pod.status = { nominatedNodeName: this.#pick(nodes) };
    return pod;
  }
}
