/** Keeps nothing alive: what a simulated process waits for when it is killed is never let go. */
export const keepAlive = (): Disposable => ({ [Symbol.dispose]() {} });
