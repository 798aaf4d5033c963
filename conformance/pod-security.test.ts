/** The Pod Security Standards against upstream's own evaluation, on pods made by chance. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { it } from 'node:test';
import type { Pod } from '@wherry/kubeapi';
import {
  detailText,
  reasonText,
  violations,
} from '../packages/apiserver/src/admission/pod-security/evaluate.ts';
import type { Level } from '../packages/apiserver/src/admission/pod-security/policy.ts';
import { SeededRandom } from '../packages/kubeapi/test/random-object.ts';
import { buildGoPeer } from './peers/go-peer.ts';

const seed = Number(process.env['SEED'] ?? Date.now() % 1e9);
const podsMade = 3_000;

interface Question {
  level: Level;
  version: string;
  pod: object;
}

interface Answer {
  error?: string;
  reason: string;
  detail: string;
}

const profileTypes = ['RuntimeDefault', 'Localhost', 'Unconfined', undefined];
const volumeKinds = [
  ...[
    'configMap',
    'csi',
    'downwardAPI',
    'emptyDir',
    'ephemeral',
    'image',
    'persistentVolumeClaim',
    'projected',
  ],
  ...[
    'secret',
    'hostPath',
    'gcePersistentDisk',
    'awsElasticBlockStore',
    'gitRepo',
    'nfs',
    'iscsi',
    'glusterfs',
  ],
  ...['rbd', 'flexVolume', 'cinder', 'cephfs', 'flocker', 'fc', 'azureFile', 'vsphereVolume', 'quobyte'],
  ...['azureDisk', 'photonPersistentDisk', 'portworxVolume', 'scaleIO', 'storageos'],
];
const sysctls = [
  ...['kernel.shm_rmid_forced', 'net.ipv4.ip_local_reserved_ports', 'net.ipv4.tcp_fin_timeout'],
  ...['net.ipv4.tcp_rmem', 'kernel.msgmax', 'net.core.somaxconn'],
];
const capabilities = ['ALL', 'NET_BIND_SERVICE', 'CHOWN', 'SYS_ADMIN', 'NET_RAW'];
const annotations = [
  'seccomp.security.alpha.kubernetes.io/pod',
  'container.seccomp.security.alpha.kubernetes.io/main',
  'container.apparmor.security.beta.kubernetes.io/main',
  'container.apparmor.security.beta.kubernetes.io/other',
];
const annotationValues = ['runtime/default', 'docker/default', 'localhost/x', 'unconfined', ''];

/** Pods that differ in what the standards look at. Most settings are good ones, so that single flaws stand out. */
class PodMaker {
  readonly #random: SeededRandom;
  constructor(random: SeededRandom) {
    this.#random = random;
  }

  #rarely(): boolean {
    return this.#random.below(5) === 0;
  }

  #some<T>(list: readonly T[]): T[] {
    return list.filter(() => this.#random.below(3) === 0);
  }

  #shared(): object {
    const random = this.#random;
    return {
      ...(this.#rarely() ? {} : { runAsNonRoot: !this.#rarely() }),
      ...(this.#rarely() ? { runAsUser: random.pick([0, 1000]) } : {}),
      ...(this.#rarely() ? {} : { seccompProfile: { type: random.pick(profileTypes) ?? 'RuntimeDefault' } }),
      ...(this.#rarely() ? { appArmorProfile: { type: random.pick(profileTypes) ?? 'Localhost' } } : {}),
      ...(this.#rarely()
        ? {
            seLinuxOptions: {
              ...(this.#rarely() ? { user: 'u' } : {}),
              ...(this.#rarely() ? { role: 'r' } : {}),
              ...(this.#rarely()
                ? { type: random.pick(['container_t', 'container_engine_t', 'spc_t', 'x_t']) }
                : {}),
            },
          }
        : {}),
      ...(this.#rarely() ? { windowsOptions: { hostProcess: random.pick([true, false]) } } : {}),
    };
  }

  #handler(): object | undefined {
    if (!this.#rarely()) return undefined;
    const host = this.#random.pick(['', '10.0.0.1', 'evil.test']);
    return { [this.#random.pick(['httpGet', 'tcpSocket'])]: { host, port: 80 } };
  }

  #container(name: string): object {
    const random = this.#random;
    const add = this.#rarely() ? this.#some(capabilities.slice(1)) : [];
    const securityContext = {
      ...this.#shared(),
      ...(this.#rarely() ? {} : { allowPrivilegeEscalation: this.#rarely() }),
      ...(this.#rarely() ? { privileged: random.pick([true, false]) } : {}),
      ...(this.#rarely() ? { procMount: random.pick(['Default', 'Unmasked']) } : {}),
      ...(this.#rarely() ? {} : { capabilities: { add, drop: this.#rarely() ? ['NET_RAW'] : ['ALL'] } }),
    };
    const ports = this.#rarely() ? [{ containerPort: 80, hostPort: random.pick([0, 80, 443, 8080]) }] : [];
    return {
      ...{ name, image: 'x', ports },
      ...(this.#rarely() ? {} : { securityContext }),
      livenessProbe: this.#handler(),
      readinessProbe: this.#handler(),
      startupProbe: this.#handler(),
      lifecycle: { postStart: this.#handler(), preStop: this.#handler() },
    };
  }

  make(): object {
    const random = this.#random;
    const given = this.#rarely() ? this.#some(annotations) : [];
    const volumes = this.#some(volumeKinds.filter(() => this.#rarely()));
    return {
      metadata: {
        name: 'p',
        annotations: Object.fromEntries(given.map((key) => [key, random.pick(annotationValues)])),
      },
      spec: {
        ...(this.#rarely() ? { hostNetwork: true } : {}),
        ...(this.#rarely() ? { hostPID: true } : {}),
        ...(this.#rarely() ? { hostIPC: true } : {}),
        ...(this.#rarely() ? { hostUsers: random.pick([true, false]) } : {}),
        ...(this.#rarely() ? { os: { name: random.pick(['linux', 'windows']) } } : {}),
        ...(this.#rarely()
          ? {}
          : {
              securityContext: {
                ...this.#shared(),
                ...(this.#rarely()
                  ? { sysctls: this.#some(sysctls).map((name) => ({ name, value: '1' })) }
                  : {}),
              },
            }),
        volumes: volumes.map((kind, index) => ({ name: `v${index}`, [kind]: {} })),
        containers: ['main', ...(this.#rarely() ? ['second'] : [])].map((name) => this.#container(name)),
        initContainers: (this.#rarely() ? ['first'] : []).map((name) => this.#container(name)),
        ephemeralContainers: (this.#rarely() ? ['debug'] : []).map((name) => this.#container(name)),
      },
    };
  }
}

async function judge(questions: readonly Question[]): Promise<Answer[]> {
  const child = spawn(await buildGoPeer('podsecurityjudge'), { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers: Answer[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => answers.push(JSON.parse(line)));
  const ended = new Promise((resolve) => lines.once('close', resolve));
  child.stdin.end(questions.map((question) => `${JSON.stringify(question)}\n`).join(''));
  await ended;
  return answers;
}

it(`every level and version finds in a pod what upstream's finds, word for word (SEED=${seed})`, async () => {
  const random = new SeededRandom(seed);
  const maker = new PodMaker(random);
  const questions = Array.from({ length: podsMade }, (): Question => {
    const version = random.below(3) === 0 ? 'latest' : `v1.${random.below(40)}`;
    const level = random.pick<Level>(['privileged', 'baseline', 'restricted', 'restricted']);
    // As it arrives: what is undefined is not there.
    return { level, version, pod: JSON.parse(JSON.stringify(maker.make())) };
  });
  const answers = await judge(questions);
  assert.equal(answers.length, questions.length);
  let forbidden = 0;
  for (const [index, { level, version, pod }] of questions.entries()) {
    const minor = version === 'latest' ? Number.POSITIVE_INFINITY : Number(version.slice(3));
    const found = violations({ level, minor }, pod as Pod);
    const ours = { reason: reasonText(found), detail: detailText(found) };
    assert.deepEqual(ours, answers[index], `${level}:${version} ${JSON.stringify(pod)}`);
    if (found.length > 0) forbidden += 1;
  }
  assert.ok(forbidden > podsMade / 4 && forbidden < podsMade, `${forbidden} pods were forbidden`);
});
