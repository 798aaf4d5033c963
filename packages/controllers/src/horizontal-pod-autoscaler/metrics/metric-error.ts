/** A metric from which nothing can be told, in the three forms in which that is told. */
export class MetricError extends Error {
  /** Of the event and the condition; the message is what both say. */
  readonly reason: string;
  /** What is said of it where all metrics of an autoscaler are summed up. */
  readonly summary: string;

  constructor(reason: string, message: string, options: ErrorOptions & { summary: string }) {
    super(message, options);
    this.name = 'MetricError';
    this.reason = reason;
    this.summary = options.summary;
  }
}
