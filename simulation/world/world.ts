import { FakeClock } from '@wherry/clock';
import type { Rooms } from '../../packages/kubelet/src/rooms.ts';
import { FakeApi, type StoredObject } from '../api/fake-api.ts';
import { Line } from '../api/line.ts';
import { SimClient } from '../api/sim-client.ts';
import { Machine } from '../machine/machine.ts';
import { currentParticipant, Participant } from '../machine/participant.ts';
import { type CriEnd, criWire } from '../runtime/cri-wire.ts';
import { type ContainerView, runningOf } from './container-view.ts';
import { Faults } from './faults.ts';
import { Invariants } from './invariants.ts';
import { addProbes } from './pods.ts';
import type { Random } from './random.ts';
import { type RuntimeKind, type RuntimeSide, sideOf } from './runtime-side.ts';
import { startSimKubelet } from './sim-kubelet.ts';
import type { Step } from './steps.ts';

interface LiveKubelet {
  process: Participant;
  client: SimClient;
  rooms: Rooms;
}

/** One machine with its kubelet and runtime, the API server it talks to, and everything that goes wrong between them. */
export class World {
  readonly clock = new FakeClock({ nowMs: Date.UTC(2026, 0, 1) });
  readonly machine: Machine;
  readonly api: FakeApi;
  readonly line: Line;
  readonly below: RuntimeSide;
  readonly faults: Faults;
  readonly invariants: Invariants;
  readonly trace: string[] = [];
  readonly #podsOfContainers = new Map<string, string>();
  readonly #runtime: RuntimeKind;
  #kubelet: LiveKubelet | undefined;
  #awayUntilMs = 0;
  #away = new AbortController();
  #effectsLeft = Number.POSITIVE_INFINITY;
  #downMs = 0;

  constructor(random: Random, { runtime }: { runtime: RuntimeKind }) {
    const { clock } = this;
    this.#runtime = runtime;
    this.machine = new Machine(clock);
    this.machine.beforeChange = (call, path) => {
      if (call === 'unlinkat' || call === 'rmdir' || call === 'umount2') this.invariants.removing(path);
      this.#effect(`${call} ${path}`);
    };
    this.api = new FakeApi(clock);
    this.line = new Line(clock);
    const hooks = { note: (line: string) => this.note(line), effect: (what: string) => this.#effect(what) };
    this.faults = new Faults({ random: random.fork(), clock, rate: 0.08 });
    const parts = { machine: this.machine, clock, faults: this.faults, ...hooks };
    this.below = sideOf[runtime](parts);
    this.invariants = new Invariants({
      api: this.api,
      containers: this.below.containers,
      phaseOf: (uid) => this.#kubelet?.rooms.board.phases.of(uid),
    });
    const settings = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings' },
      data: { level: '0' },
    };
    this.api.handle({ method: 'POST', path: '/api/v1/namespaces/default/configmaps', body: settings });
  }

  get containers(): ContainerView {
    return this.below.containers;
  }

  get kubelet(): LiveKubelet | undefined {
    return this.#kubelet;
  }

  note(line: string): void {
    // Ids are long; their first digits tell them apart.
    const short = line.replace(/\b([0-9a-f]{8})[0-9a-f]{56}\b/g, '$1');
    this.trace.push(`${(this.clock.monotonicMs() / 1_000).toFixed(3)} ${short}`);
  }

  /** Lets time pass; what falls due runs. Stops at a violation. */
  async pass(durationMs: number): Promise<void> {
    await this.clock.advanceAsync(durationMs);
    this.invariants.check();
    if (this.invariants.violation) throw this.invariants.violation;
  }

  startKubelet(): void {
    if (this.#kubelet) return;
    this.note('the kubelet starts');
    const process = new Participant('kubelet', this.machine);
    const clock = process.clockOn(this.clock);
    const note = (line: string) => this.note(line);
    const shared = { process, clock, faults: this.faults, note };
    const client = new SimClient({ ...shared, api: this.api, line: this.line });
    const cri = criWire({
      ...shared,
      end: () => this.#runtimeEnd(),
      pods: this.#podsOfContainers,
      starting: (uid) => this.invariants.starting(uid),
      effect: (name) => process.run(() => this.#effect(name)),
    });
    const rooms = startSimKubelet({ process, clock, client, cri, note });
    this.#kubelet = { process, client, rooms };
  }

  /** Starts everything. */
  start(): void {
    for (const name of this.below.names) this.below.start(name);
    this.startKubelet();
  }

  /** kill -9 of a process; another is started after `downMs`. */
  kill(name: string, downMs: number): void {
    this.note(`the ${name} is killed, for ${downMs} ms`);
    this.invariants.check();
    this.#effectsLeft = Number.POSITIVE_INFINITY;
    if (name === 'kubelet') this.#killKubelet();
    else {
      if (name === 'runtime') this.#breakCalls();
      this.below.kill(name);
    }
    this.clock.after(downMs, () => (name === 'kubelet' ? this.startKubelet() : this.below.start(name)));
  }

  #killKubelet(): void {
    this.#kubelet?.process.kill();
    this.#kubelet?.client.tear('break');
    this.#kubelet = undefined;
  }

  act(step: Step): void {
    const { api, containers } = this;
    const pods = api.objects('pods');
    switch (step.kind) {
      case 'create':
        if (api.find('pods', 'default', step.pod.metadata.name)) return;
        this.#createPod(structuredClone(step.pod));
        return;
      case 'delete': {
        const pod = choose(pods, step.which);
        if (pod) this.deletePod(pod, step.graceSeconds);
        return;
      }
      case 'exit': {
        const container = choose(runningOf(containers), step.which);
        if (container) containers.end(container.id, step.exitCode);
        return;
      }
      case 'tear':
        this.#kubelet?.client.tear(step.how);
        return;
      case 'cut':
        this.line.cut(step.directions, step.forMs);
        return;
      case 'backUp':
        api.backUp();
        return;
      case 'setBack':
        if (!api.setBack()) return;
        this.invariants.setBack();
        this.line.serverReplaced();
        this.#kubelet?.client.tear('break');
        return;
      case 'compact':
        api.compact();
        return;
      case 'settings':
        api.handle({
          method: 'PATCH',
          path: '/api/v1/namespaces/default/configmaps/settings',
          body: { data: { level: step.text } },
        });
        return;
      case 'kill':
        this.kill(choose(['kubelet', ...this.below.names], step.which) ?? '', step.downMs);
        return;
      case 'killAt':
        this.#effectsLeft = step.effect;
        this.#downMs = step.downMs;
        return;
      case 'away':
        this.loseRuntime(step.forMs);
        return;
      case 'reboot':
        for (const name of ['kubelet', ...this.below.names]) this.kill(name, 1_000);
        this.loseRuntime(500);
        containers.endAll();
        return;
      default:
    }
  }

  #createPod(pod: StoredObject): void {
    if (this.#runtime === 'real') addProbes(pod);
    this.api.handle({ method: 'POST', path: podsPath, body: pod });
  }

  deletePod({ metadata }: StoredObject, gracePeriodSeconds: number | undefined): void {
    this.note(`pod ${metadata.name} (${metadata.uid}) is deleted, grace ${gracePeriodSeconds}`);
    this.api.handle({ method: 'DELETE', path: `${podsPath}/${metadata.name}`, body: { gracePeriodSeconds } });
  }

  /** The runtime does not answer for a while: its streams and calls break. */
  loseRuntime(forMs: number): void {
    this.#awayUntilMs = this.clock.monotonicMs() + forMs;
    this.#breakCalls();
  }

  #breakCalls(): void {
    this.#away.abort();
    this.#away = new AbortController();
  }

  /** From now on everything answers, and nobody is killed. */
  endFaults(): void {
    this.faults.rate = 0;
    this.line.mend();
    this.#effectsLeft = Number.POSITIVE_INFINITY;
    this.#awayUntilMs = 0;
  }

  #runtimeEnd(): CriEnd {
    const isAway = this.clock.monotonicMs() < this.#awayUntilMs;
    const serving = isAway ? undefined : this.below.serving();
    return {
      handlers: serving?.handlers,
      life: this.#away.signal,
      run: (work) => (serving?.process ? serving.process.run(work) : work()),
    };
  }

  /** Counts what the processes do, and kills one at what it does where a step said so. */
  #effect(what: string): void {
    this.#effectsLeft -= 1;
    if (this.#effectsLeft > 0) return;
    const { name } = currentParticipant();
    // Drafts of files are numbered for as long as this process runs, over many simulations.
    this.note(`at ${what.replace(/\.\d+\.\d+\.tmp$/, '.tmp')}:`);
    this.kill(name, this.#downMs);
  }
}

const podsPath = '/api/v1/namespaces/default/pods';
const choose = <T>(list: readonly T[], which: number): T | undefined => list[Math.floor(which * list.length)];
