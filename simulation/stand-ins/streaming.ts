/** A streaming server that listens nowhere, in place of `packages/monitor/src/streaming/index.ts`: no sessions are simulated. */
const unsimulated = (): never => {
  throw new Error('sessions are not simulated');
};

export class StreamingServer {
  readonly execUrl = unsimulated;
  readonly attachUrl = unsimulated;
  readonly portForwardUrl = unsimulated;

  async listen(): Promise<void> {}
  async close(): Promise<void> {}
  endForwards(): void {}
}
