/**
 * What an API server, which runs on a newer Node, has there and Node 22 has not: tests of its client run one in their own
 * process. No more of it than that server asks for.
 */
globalThis.AsyncDisposableStack ??= class AsyncDisposableStack {
  #steps = [];

  defer(step) {
    this.#steps.push(step);
  }

  adopt(value, close) {
    this.defer(() => close(value));
    return value;
  }

  async disposeAsync() {
    const failures = [];
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures.at(-1);
  }
};
