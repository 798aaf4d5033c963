/**
 * Runs what measures, and rejects as soon as the process is told to end (Ctrl-C, SIGTERM), so that whoever started nodes
 * closes them on the way out. What measures is not awaited then: it fails as its nodes go.
 */
export async function untilTold<T>(measure: () => Promise<T>): Promise<T> {
  const told = Promise.withResolvers<never>();
  const end = (signal: NodeJS.Signals) =>
    told.reject(new Error(`told to end by ${signal}: the nodes are closed`));
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, end);
  try {
    const measured = measure();
    measured.catch(() => {});
    return await Promise.race([measured, told.promise]);
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}
