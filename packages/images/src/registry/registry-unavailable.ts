import { ImageError } from '../errors.ts';

/** How a registry failed: nobody answered, it refused for the moment (429, 5xx), or its answer was torn off. */
export type RegistryFailure = 'unreached' | 'refused' | 'torn';

/** What is known of a failure besides its text. */
export interface RegistryFailureOptions extends ErrorOptions {
  failure: RegistryFailure;
  /** It asked to be left alone for so long (`Retry-After`). */
  retryAfterMs?: number | undefined;
}

/** A registry cannot be reached or does not work; the kubelet shows the first word as the reason. */
export class RegistryUnavailableError extends ImageError {
  readonly failure: RegistryFailure;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { failure, retryAfterMs, cause }: RegistryFailureOptions) {
    super('UNKNOWN', `RegistryUnavailable: ${message}`, { cause });
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
  }

  /** The same failure with more said. */
  with(text: string): RegistryUnavailableError {
    const message = this.message.replace(/^RegistryUnavailable: /, '');
    const { failure, retryAfterMs } = this;
    return new RegistryUnavailableError(message + text, { failure, retryAfterMs, cause: this });
  }
}

/** Milliseconds of a `Retry-After` (RFC 9110 section 10.2.3), seconds or a date; undefined without one. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const dateMs = Date.parse(header);
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}
