/** Programs that cannot be run. */
type Done = (error: Error) => void;

const refuse = (...args: unknown[]): void => (args.at(-1) as Done)(new Error('no programs are simulated'));

export { refuse as execFile, refuse as spawn };
