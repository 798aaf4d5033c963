/** What follows from pods and nodes against upstream's own code, on pods and nodes made by chance. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { it } from 'node:test';
import type { Node, Pod } from '@wherry/kubeapi';
import {
  type Amounts,
  amountsOf,
  computeQualityOfService,
  isTolerated,
  matchesNodeAffinity,
  nodePreference,
  podAmounts,
  portsConflict,
  type ResourceSide,
  type Shortage,
  shortages,
} from '@wherry/podrules';
import { SeededRandom } from '../packages/kubeapi/test/random-object.ts';
import { buildGoPeer } from './peers/go-peer.ts';

const seed = Number(process.env['SEED'] ?? Date.now() % 1e9);
const questionsMade = 4_000;

interface Question {
  pod: Pod;
  node: Node;
  pods: Pod[];
}

interface Answer {
  error?: string;
  qosClass: string;
  requests: Record<string, string>;
  limits: Record<string, string>;
  tolerated: boolean[] | null;
  matchesAffinity: boolean;
  preference: number;
  fitsPorts: boolean;
  shortages: Shortage[] | null;
}

const resourceNames = [
  ...['cpu', 'cpu', 'cpu', 'memory', 'memory', 'memory', 'ephemeral-storage', 'hugepages-2Mi', 'storage'],
  ...['example.com/gpu', 'kubernetes.io/x', 'attachable-volumes-x', 'pods', 'unknown'],
];
const amounts = [
  '0',
  '0m',
  '1',
  '1',
  '1000m',
  '500m',
  '1m',
  '100u',
  '1.5',
  '1Gi',
  '1024Mi',
  '1073741824',
  '2G',
  '-1',
];
const keys = ['a', 'b', 'kubernetes.io/hostname', 'metadata.name', ''];
const values = ['v', 'w', '1', '5', '-3', ''];
const effects = ['NoSchedule', 'NoExecute', 'PreferNoSchedule'];

/** Pods and nodes that differ in what the rules look at; few names and values, so that they often meet. */
class QuestionMaker {
  readonly #random: SeededRandom;
  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** The value, one time in `times`. */
  #rarely<T>(times: number, make: () => T): T | undefined {
    return this.#random.below(times) === 0 ? make() : undefined;
  }

  #several<T>(max: number, make: () => T): T[] {
    return Array.from({ length: this.#random.below(max + 1) }, make);
  }

  #amounts(): object {
    const entry = () => [this.#random.pick(resourceNames), this.#random.pick(amounts)];
    return Object.fromEntries(this.#several(4, entry));
  }

  #resources(): object | undefined {
    const whole = { cpu: '1', memory: '1Gi' };
    if (this.#random.below(3) === 0)
      return {
        requests: whole,
        limits: { cpu: '1000m', memory: this.#random.pick(['1024Mi', '1Gi', '2Gi']) },
      };
    return this.#rarely(2, () => ({
      requests: this.#rarely(2, () => this.#amounts()),
      limits: this.#rarely(2, () => this.#amounts()),
    }));
  }

  #container(name: string): object {
    const port = () => ({
      containerPort: 80,
      hostPort: this.#random.pick([0, 80, 81]),
      protocol: this.#random.pick([undefined, 'TCP', 'UDP']),
      hostIP: this.#random.pick([undefined, '', '0.0.0.0', '10.0.0.1', '10.0.0.2']),
    });
    return { name, resources: this.#resources() ?? {}, ports: this.#rarely(3, () => this.#several(2, port)) };
  }

  #requirement(operators: string[]): object {
    const pick = <T>(list: readonly T[]) => this.#random.pick(list);
    return { key: pick(keys), operator: pick(operators), values: this.#several(2, () => pick(values)) };
  }

  #term(): object {
    const all = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Odd'];
    return {
      matchExpressions: this.#several(2, () => this.#requirement(all)),
      matchFields: this.#rarely(3, () =>
        this.#several(1, () => ({
          ...this.#requirement(['In', 'NotIn', 'Exists']),
          key: this.#random.pick(keys),
        })),
      ),
    };
  }

  #toleration(): object {
    const pick = <T>(list: readonly T[]) => this.#random.pick(list);
    return {
      key: pick([undefined, '', 'a', 'b']),
      operator: pick([undefined, '', 'Equal', 'Exists', 'Gt', 'Lt', 'Odd']),
      value: pick([undefined, ...values]),
      effect: pick([undefined, '', ...effects]),
    };
  }

  #pod(): object {
    const labels = () =>
      Object.fromEntries(this.#several(2, () => [this.#random.pick(keys.slice(0, 2)), 'v']));
    const affinity = () => ({
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: this.#rarely(2, () => ({
          nodeSelectorTerms: this.#several(3, () => this.#term()),
        })),
        preferredDuringSchedulingIgnoredDuringExecution: this.#several(2, () => ({
          weight: 1 + this.#random.below(100),
          preference: this.#term(),
        })),
      },
    });
    return {
      metadata: { name: 'p' },
      spec: {
        containers: ['a', 'b'].slice(this.#random.below(2)).map((name) => this.#container(name)),
        initContainers: this.#several(3, () => ({
          ...this.#container('i'),
          restartPolicy: this.#rarely(2, () => 'Always'),
        })),
        resources: this.#rarely(5, () => this.#resources() ?? {}),
        overhead: this.#rarely(4, () => this.#amounts()),
        tolerations: this.#several(3, () => this.#toleration()),
        nodeSelector: this.#rarely(4, labels),
        affinity: this.#rarely(2, affinity),
      },
    };
  }

  make(): Question {
    const pick = <T>(list: readonly T[]) => this.#random.pick(list);
    const taint = () => ({
      key: pick(keys.slice(0, 2)),
      value: pick([undefined, ...values]),
      effect: pick(effects),
    });
    const question = {
      pod: this.#pod(),
      pods: this.#several(2, () => this.#pod()),
      node: {
        metadata: {
          name: pick(['v', 'w']),
          labels: Object.fromEntries(this.#several(3, () => [pick(keys.slice(0, 3)), pick(values)])),
        },
        spec: { taints: this.#several(2, taint) },
        status: { allocatable: { pods: pick(['1', '2', '110']), ...this.#amounts() } },
      },
    };
    // As it arrives: what is undefined is not there.
    return JSON.parse(JSON.stringify(question));
  }
}

async function judge(questions: readonly Question[]): Promise<Answer[]> {
  const child = spawn(await buildGoPeer('podrulesjudge'), { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers: Answer[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => answers.push(JSON.parse(line)));
  const ended = new Promise((resolve) => lines.once('close', resolve));
  child.stdin.end(questions.map((question) => `${JSON.stringify(question)}\n`).join(''));
  await ended;
  return answers;
}

const canonical = (list: Amounts) =>
  Object.fromEntries([...list].map(([name, amount]) => [name, amount.nanos]).sort());
const byName = (list: readonly Shortage[]) =>
  [...list].sort((a, b) => (a.resource < b.resource ? -1 : a.resource > b.resource ? 1 : 0));

function ours({ pod, node, pods }: Question) {
  const side = (name: ResourceSide) => canonical(podAmounts(pod, name));
  const allocatable = amountsOf(node.status?.allocatable);
  return {
    qosClass: computeQualityOfService(pod),
    requests: side('requests'),
    limits: side('limits'),
    tolerated: (node.spec?.taints ?? []).map((taint) => isTolerated(taint, pod.spec?.tolerations)),
    matchesAffinity: matchesNodeAffinity(pod, node),
    fitsPorts: !portsConflict(pod, pods),
    shortages: byName(shortages(pod, { pods, allocatable })),
  };
}

it(`pods are judged as upstream judges them, number for number (SEED=${seed})`, async () => {
  const maker = new QuestionMaker(new SeededRandom(seed));
  const questions = Array.from({ length: questionsMade }, () => maker.make());
  const answers = await judge(questions);
  assert.equal(answers.length, questions.length);
  const seen = new Set<string>();
  for (const [index, question] of questions.entries()) {
    const { error, preference, ...answer } = answers[index]!;
    const told = JSON.stringify(question);
    assert.equal(error, undefined, told);
    const theirs = {
      ...answer,
      requests: canonical(amountsOf(answer.requests)),
      limits: canonical(amountsOf(answer.limits)),
      tolerated: answer.tolerated ?? [],
      shortages: byName(answer.shortages ?? []),
    };
    assert.deepEqual(ours(question), theirs, told);
    // One term that can't be read makes upstream forget them all; ours forgets that one.
    if (preference !== 0) assert.equal(nodePreference(question.pod, question.node), preference, told);
    seen.add(`${answer.qosClass} ${answer.matchesAffinity} ${answer.fitsPorts}`);
  }
  assert.equal(seen.size, 12, `all cases were met: ${[...seen]}`);
});
