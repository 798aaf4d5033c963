import type { Container, Pod } from '@wherry/kubeapi';
import type { SeededRandom } from '../../packages/kubeapi/test/random-object.ts';
import type {
  MachineCore,
  MachineTopology,
} from '../../packages/kubelet/src/ground/topology/machine-topology.ts';
import type { Question, Step } from './managers-bench.ts';

const mebibyte = 1_024 * 1_024;
const cpuOptionNames = [
  ...['full-pcpus-only', 'full-pcpus-only', 'distribute-cpus-across-numa', 'align-by-socket'],
  ...['distribute-cpus-across-cores', 'strict-cpu-reservation', 'prefer-align-cpus-by-uncorecache'],
];

/** Machines, configurations and what happens on them, by chance. */
export class QuestionMaker {
  readonly #random: SeededRandom;
  #uids = 0;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  question(): Question {
    const random = this.#random;
    const { machine, threads } = this.#machine();
    const cpus = machine.nodes
      .flatMap(({ cores }) => cores.flatMap((core) => core.threads))
      .sort((a, b) => a - b);
    const cpuOptions: Record<string, string> = {};
    for (let left = random.below(3); left > 0; left -= 1)
      cpuOptions[random.pick(cpuOptionNames)] = random.pick(['true', 'true', 'true', 'false', '1', 'yes']);
    // Whole cores alone: upstream never ends where half a core is left over in such a choice.
    const isFair = 'distribute-cpus-across-numa' in cpuOptions && 'full-pcpus-only' in cpuOptions;
    const reserved = isFair ? threads : 1 + random.below(Math.min(3, cpus.length));
    const listed = isFair ? machine.nodes[0]?.cores[0]?.threads : cpus.slice(0, reserved);
    const isListed = random.below(3) === 0;
    const topologyPolicy = random.pick([
      'none',
      'best-effort',
      'restricted',
      'restricted',
      'single-numa-node',
    ] as const);
    return {
      machine,
      cpuPolicy: random.below(12) === 0 ? 'none' : 'static',
      cpuOptions,
      reservedCpu: random.below(40) === 0 ? '0' : String(reserved),
      reservedCpus: isListed ? (listed ?? []).join(',') : '',
      ...this.#memory(machine),
      topologyPolicy,
      topologyScope: random.pick(['container', 'pod'] as const),
      topologyOptions:
        random.below(3) === 0 ? { 'prefer-closest-numa-nodes': random.pick(['true', 'false', 'maybe']) } : {},
      files: {},
      steps: this.#steps(machine, cpus.length),
    };
  }

  #memory(machine: MachineTopology): Pick<Question, 'memoryPolicy' | 'reservedMemory'> {
    const random = this.#random;
    if (random.below(3) === 0) return { memoryPolicy: 'None', reservedMemory: {} };
    const kept = machine.nodes.map(({ id }) => [id, String(random.below(3) * 64 * mebibyte)] as const);
    return {
      memoryPolicy: 'Static',
      reservedMemory: Object.fromEntries(kept.filter(([, text]) => text !== '0')),
    };
  }

  #machine(): { machine: MachineTopology; threads: number } {
    const random = this.#random;
    const nodeCount = random.pick([1, 2, 2, 2, 3, 4, 4, 6]);
    // Several nodes of one socket, one of one, or several sockets of one node.
    const shape = random.pick(['equal', 'equal', 'nodes', 'sockets'] as const);
    const socketsPerNode = shape === 'sockets' ? 2 : 1;
    const nodesPerSocket = shape === 'nodes' && nodeCount % 2 === 0 ? 2 : 1;
    const coresPerSocketOfNode = 1 + random.below(4);
    const threads = random.pick([1, 2, 2]);
    const coresOfNode = coresPerSocketOfNode * socketsPerNode;
    const coreCount = nodeCount * coresOfNode;
    const isInterleaved = random.below(2) === 0;
    const cacheSize = random.below(3) === 0 ? 1 + random.below(coresPerSocketOfNode) : 0;
    const core = (node: number, place: number): MachineCore => {
      const at = node * coresOfNode + place;
      const socketOfNode = Math.floor(place / coresPerSocketOfNode);
      const socket = node * socketsPerNode + socketOfNode;
      return {
        socket: Math.floor(socket / nodesPerSocket),
        threads: Array.from({ length: threads }, (_, thread) =>
          isInterleaved ? at + thread * coreCount : at * threads + thread,
        ),
        uncoreCache: cacheSize > 0 ? node * 10 + Math.floor(place / cacheSize) : undefined,
      };
    };
    const hugePages = random.below(4) === 0;
    const nodes = Array.from({ length: nodeCount }, (_, id) => ({
      id,
      memoryBytes: (random.below(8) === 0 ? 512 : 1_024) * mebibyte,
      hugePages: hugePages ? [{ sizeBytes: 2 * mebibyte, count: random.pick([16, 64]) }] : [],
      distances: Array.from({ length: nodeCount }, (_, other) =>
        other === id ? 10 : Math.floor(other / 2) === Math.floor(id / 2) ? 12 : 20 + random.below(2),
      ),
      cores: Array.from({ length: coresOfNode }, (_, place) => core(id, place)),
    }));
    const sockets = new Set(nodes.flatMap(({ cores }) => cores.map(({ socket }) => socket))).size;
    return { machine: { nodes, sockets }, threads };
  }

  #steps({ nodes }: MachineTopology, cpus: number): Step[] {
    const random = this.#random;
    const hasHugePages = nodes.some(({ hugePages }) => hugePages.length > 0);
    const live: Pod[] = [];
    return Array.from({ length: 4 + random.below(10) }, (): Step => {
      const what = random.below(10);
      if (what < 2 && live.length > 0) {
        const [gone] = live.splice(random.below(live.length), 1);
        return { remove: gone?.metadata?.uid ?? '' };
      }
      if (what < 4 && live.length > 0) {
        const { metadata, spec } = random.pick(live);
        const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
        return { start: { uid: metadata?.uid ?? '', container: random.pick(containers).name } };
      }
      const pod = this.#pod(Math.max(1, Math.ceil(cpus / 2)), hasHugePages);
      live.push(pod);
      return { admit: pod };
    });
  }

  #pod(cpusMax: number, hasHugePages: boolean): Pod {
    const random = this.#random;
    const isGuaranteed = random.below(8) !== 0;
    let names = 0;
    const container = (more: Partial<Container> = {}): Container => {
      const cpu = random.pick([
        ...Array.from({ length: 6 }, () => String(1 + random.below(cpusMax))),
        '500m',
        '1000m',
      ]);
      const memory = String((32 + random.below(12) * 64) * mebibyte);
      const requests = {
        cpu,
        memory,
        ...(hasHugePages && random.below(3) === 0
          ? { 'hugepages-2Mi': `${2 * (1 + random.below(20))}Mi` }
          : {}),
      };
      names += 1;
      const limits = isGuaranteed ? requests : { ...requests, memory: String(2 ** 40) };
      return { name: `c${names}`, resources: { requests, limits }, ...more };
    };
    const several = (most: number, more: () => Partial<Container>) =>
      Array.from({ length: random.below(most + 1) }, () => container(more()));
    const initContainers = several(2, () => (random.below(3) === 0 ? { restartPolicy: 'Always' } : {}));
    const containers = [container(), ...several(1, () => ({}))];
    this.#uids += 1;
    const asWhole =
      random.below(20) === 0
        ? { resources: { requests: { cpu: '2', memory: '1Gi' }, limits: { cpu: '2', memory: '1Gi' } } }
        : {};
    return {
      metadata: { name: `p${this.#uids}`, namespace: 'default', uid: `u${this.#uids}` },
      spec: { initContainers, containers, ...asWhole },
    };
  }
}
