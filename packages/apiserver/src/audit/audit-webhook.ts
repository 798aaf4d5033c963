import { backoff, type Clock, RateBucket, sleep, type Timer } from '@wherry/clock';
import { exactJson } from '@wherry/kubeapi';
import type { Logger } from '@wherry/telemetry';
import { limits, periods } from '../limits.ts';
import type { AuditEvent } from './audit-event.ts';
import type { AuditPart, AuditSink } from './audit-sink.ts';
import { eventWithin } from './truncation.ts';
import type { AuditPost } from './webhook-post.ts';

/** How events are sent to a webhook; names and defaults follow kube-apiserver's flags (`--audit-webhook-*`). */
export interface AuditWebhookOptions {
  /** A kubeconfig: where to, and as whom. */
  configFile: string;
  /** Before the first of four more tries, in milliseconds; each later one waits half as long again. Default 10 s. */
  initialBackoffMs?: number | undefined;
  /** Events that wait to be sent; more are dropped. Default 10,000. */
  bufferSize?: number | undefined;
  /** Events of one request. Default 400. */
  maxBatchSize?: number | undefined;
  /** How long an event waits for others, in milliseconds. Default 30 s. */
  maxBatchWaitMs?: number | undefined;
  /** Requests per second, 0 for as many as there are, and at once after a rest. Default 10 and 15. */
  requestsPerSecond?: number | undefined;
  burst?: number | undefined;
  /** Bytes of an event, beyond which it loses the objects it holds, and of the events of a request. Default: any. */
  truncation?: { maxEventBytes: number; maxBatchBytes: number } | undefined;
}

/** What a webhook is sent with. */
export interface AuditWebhookParts {
  post: AuditPost;
  clock: Clock;
  logger: Logger;
  /** Hears of events that were taken, and are lost. */
  onLost: (part: AuditPart, events: number) => void;
}

const triesMax = 5;
const growth = 1.5;

/**
 * Sends events to a webhook, many at a time (an `EventList` of audit.k8s.io/v1). What it does not take is sent again,
 * so that it may get an event twice; after the last try it is lost, and that is counted.
 */
export class AuditWebhook implements AuditSink {
  readonly isStrict = false;
  readonly #options: AuditWebhookOptions;
  readonly #parts: AuditWebhookParts;
  readonly #bucket: RateBucket;
  readonly #underWay = new Set<Promise<void>>();
  readonly #end = new AbortController();
  #waiting: AuditEvent[] = [];
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(options: AuditWebhookOptions, parts: AuditWebhookParts) {
    this.#options = options;
    this.#parts = parts;
    const { requestsPerSecond: perSecond = 10, burst = 15 } = options;
    this.#bucket = new RateBucket({ clock: parts.clock, perSecond, burst });
  }

  write(event: AuditEvent): AuditPart | undefined {
    const { bufferSize = 10_000 } = this.#options;
    if (this.#isClosed || this.#waiting.length >= bufferSize) return 'buffered';
    this.#waiting.push(event);
    if (this.#waiting.length === this.#batchSize) this.#sendAfter(0);
    else this.#timer ??= this.#parts.clock.after(this.#batchWaitMs, () => this.#send());
    return undefined;
  }

  /** What waits is sent; what the webhook does not take in {@link periods.auditWebhookCloseMs} is lost. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    const { clock, post } = this.#parts;
    const late = clock.after(periods.auditWebhookCloseMs, () => this.#end.abort());
    await Promise.all(this.#underWay);
    while (this.#waiting.length > 0) await this.#deliver(this.#nextBatch());
    late.cancel();
    post.close();
  }

  get #batchSize(): number {
    return this.#options.maxBatchSize ?? 400;
  }

  get #batchWaitMs(): number {
    return this.#options.maxBatchWaitMs ?? 30_000;
  }

  #nextBatch(): AuditEvent[] {
    const batch = this.#waiting.slice(0, this.#batchSize);
    this.#waiting = this.#waiting.slice(this.#batchSize);
    return batch;
  }

  #sendAfter(delayMs: number): void {
    this.#timer?.cancel();
    this.#timer = this.#parts.clock.after(delayMs, () => this.#send());
  }

  /** Sends a batch, when there is room for a request more; the rest has its turn later. */
  #send(): void {
    this.#timer = undefined;
    if (this.#waiting.length === 0 || this.#underWay.size >= limits.auditRequestsMax) return;
    const { waitMs } = this.#bucket.take();
    if (waitMs > 0) {
      this.#sendAfter(waitMs);
      return;
    }
    const sent = this.#deliver(this.#nextBatch()).finally(() => {
      this.#underWay.delete(sent);
      if (!this.#timer && !this.#isClosed && this.#waiting.length > 0) this.#sendAfter(0);
    });
    this.#underWay.add(sent);
    if (this.#waiting.length > 0)
      this.#sendAfter(this.#waiting.length < this.#batchSize ? this.#batchWaitMs : 0);
  }

  async #deliver(events: readonly AuditEvent[]): Promise<void> {
    for (const items of this.#bodies(events)) {
      const text = `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[${items.join(',')}]}`;
      try {
        await this.#tryAgain(text);
      } catch (error) {
        const { logger, onLost } = this.#parts;
        logger.error('events of the audit are lost: the webhook did not take them', {
          error,
          events: items.length,
        });
        onLost('webhook', items.length);
      }
    }
  }

  /** The events of each request, by their lengths. */
  #bodies(events: readonly AuditEvent[]): string[][] {
    const { maxEventBytes, maxBatchBytes = Infinity } = this.#options.truncation ?? {};
    const bodies: string[][] = [];
    let bytes = 0;
    for (const event of events) {
      const fitting = eventWithin(event, maxEventBytes);
      if (!fitting) {
        this.#parts.onLost('truncate', 1);
        continue;
      }
      // The list says what its items are.
      const { kind: _kind, apiVersion: _version, ...item } = fitting;
      const text = exactJson(item);
      const length = Buffer.byteLength(text);
      if (bytes + length > maxBatchBytes || bodies.length === 0) {
        bodies.push([]);
        bytes = 0;
      }
      bodies.at(-1)!.push(text);
      bytes += length;
    }
    return bodies;
  }

  async #tryAgain(body: string): Promise<void> {
    const { clock, post } = this.#parts;
    const { signal } = this.#end;
    const { initialBackoffMs: initialMs = 10_000 } = this.#options;
    const delays = backoff({ initialMs, maxMs: initialMs * growth ** triesMax, factor: growth });
    for (let tries = 1; ; tries++) {
      try {
        return await post.send(body, signal);
      } catch (error) {
        if (tries === triesMax || signal.aborted) throw error;
        await sleep({ clock, delayMs: delays.nextDelayMs(), signal });
      }
    }
  }
}
