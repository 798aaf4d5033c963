/** `@wherry/clock` without what keeps a real process alive: a simulated one that is killed lets nothing go. */
export * from '@wherry/clock';

export const keepAlive = (): Disposable => ({ [Symbol.dispose]() {} });
