import { probeOutputBytesMax } from '../../limits.ts';

/** What one probe said. A `warning` counts as success and is told as an event; an `error` counts as nothing. */
export interface ProbeOutcome {
  result: 'success' | 'warning' | 'failure';
  output: string;
}

/** A probe that could not be run to its end; a failed probe is no error. */
export class ProbeError extends Error {
  readonly code = 'probe-not-run';
  /** The state that its event tells of. */
  readonly state: 'unknown' | 'failure';

  constructor(message: string, options?: ErrorOptions & { state?: ProbeError['state'] }) {
    super(message, options);
    this.name = 'ProbeError';
    this.state = options?.state ?? 'unknown';
  }
}

/** `bytes` as text, cut to what a probe keeps. */
export function probeOutput(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, probeOutputBytesMax)).toString(
    'utf8',
  );
}
