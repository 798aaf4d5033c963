import { limits } from '../limits.ts';
import { shortCommand, shortened } from './session-texts.ts';
import type { Session, SessionEnd, SessionKind, SessionStream } from './shape.ts';
import { StreamMeter } from './stream-meter.ts';

/** What is known of a session before its sides are joined. Texts may be of any length; what is kept of them has bounds. */
export interface SessionFacts {
  kind: SessionKind;
  /** As another server named it (`auditIdHeader`): taken where it is well formed and names no other session here. */
  id?: string | undefined;
  auditId?: string | undefined;
  namespace?: string | undefined;
  pod?: string | undefined;
  podUid?: string | undefined;
  container?: string | undefined;
  containerId?: string | undefined;
  sandboxId?: string | undefined;
  node?: string | undefined;
  user?: string | undefined;
  command?: readonly string[] | undefined;
  ports?: readonly number[] | undefined;
  clientAddress?: string | undefined;
  backendAddress?: string | undefined;
}

/** How it ended; the time is filled in. */
export type SessionOutcome = Omit<SessionEnd, 'time'>;

/** What a {@link LiveSession} needs of its book. */
export interface SessionKeeper {
  nowMs(): number;
  upwardTaker: 'backend' | 'process';
  ended(session: LiveSession): void;
}

/** A session under way, for the code that carries it: it says what passes and how it ends. */
export class LiveSession {
  readonly id: string;
  readonly key: string;
  readonly #keeper: SessionKeeper;
  readonly #told: Session;
  readonly #streams = new Map<string, StreamMeter>();
  /** What was to tell at the end; nothing of the connections is held from then on. */
  #last: Session | undefined;
  #changes = 0;
  #endedMs = 0;

  constructor(keeper: SessionKeeper, { id, key, ...facts }: SessionFacts & { id: string; key: string }) {
    this.id = id;
    this.key = key;
    this.#keeper = keeper;
    this.#told = {
      ...{ id, key, kind: facts.kind, state: 'connecting' },
      ...textsOf(facts),
      ...(facts.command ? shortCommand(facts.command) : {}),
      ...(facts.ports?.length ? { ports: facts.ports.slice(0, limits.sessionPortsMax) } : {}),
      client: facts.clientAddress ? { address: shortened(facts.clientAddress) } : {},
      ...(facts.backendAddress ? { backend: { address: shortened(facts.backendAddress) } } : {}),
      startTime: new Date(keeper.nowMs()).toISOString(),
      streams: [],
    };
  }

  /** When it ended; 0 before. */
  get endedMs(): number {
    return this.#endedMs;
  }

  /** Another number whenever there is something new to tell. */
  get stamp(): number {
    let stamp = this.#changes;
    for (const stream of this.#streams.values()) stamp += stream.stamp;
    return stamp;
  }

  /** Both sides are joined, and speak this. */
  joined({ client, backend }: { client: string; backend?: string | undefined }): void {
    this.#changes++;
    const told = this.#told;
    if (told.state !== 'connecting') return;
    told.state = 'open';
    told.openTime = new Date(this.#keeper.nowMs()).toISOString();
    told.client.protocol = shortened(client);
    if (backend !== undefined) told.backend = { ...told.backend, protocol: shortened(backend) };
  }

  /** The meter of a stream; of ports beyond the bound there is one for all. */
  stream(name: SessionStream['name'], port?: number): StreamMeter {
    const key = port === undefined ? name : `${name} ${port}`;
    const known = this.#streams.get(key);
    if (known) return known;
    if (port !== undefined && this.#streams.size >= limits.sessionPortsMax) return this.stream(name);
    const { nowMs, upwardTaker } = this.#keeper;
    const stream = new StreamMeter({ name, port, nowMs, upwardTaker });
    if (this.#last) return stream;
    this.#streams.set(key, stream);
    this.#changes++;
    return stream;
  }

  /** It is over. Only the first call counts. */
  end({ message, ...outcome }: SessionOutcome): void {
    if (this.#endedMs > 0) return;
    this.#endedMs = this.#keeper.nowMs();
    const time = new Date(this.#endedMs).toISOString();
    this.#told.state = 'ended';
    this.#told.end = { time, ...outcome, ...(message ? { message: shortened(message) } : {}) };
    const stamp = this.stamp + 1;
    this.#last = this.describe();
    this.#streams.clear();
    this.#changes = stamp;
    this.#keeper.ended(this);
  }

  describe(): Session {
    if (this.#last) return this.#last;
    const streams = [...this.#streams.values()];
    const { client, backend } = this.#told;
    const session: Session = {
      ...{ ...this.#told, client: { ...client }, ...(backend ? { backend: { ...backend } } : {}) },
      streams: streams.map((stream) => stream.describe()),
    };
    const lastMs = Math.max(0, ...streams.map((stream) => stream.lastMs));
    if (lastMs > 0) session.lastActivityTime = new Date(lastMs).toISOString();
    return session;
  }
}

const textNames = [
  ...(['auditId', 'namespace', 'pod', 'podUid', 'container', 'containerId'] as const),
  ...(['sandboxId', 'node', 'user'] as const),
];

function textsOf(facts: SessionFacts): Partial<Session> {
  return Object.fromEntries(
    textNames.flatMap((name) => (facts[name] ? [[name, shortened(facts[name])]] : [])),
  );
}
