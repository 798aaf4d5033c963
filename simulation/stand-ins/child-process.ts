/** Programs that cannot be run. */
type Done = (error: Error) => void;

const refusal = () => new Error('no programs are simulated');
const refuse = (...args: unknown[]): void => (args.at(-1) as Done)(refusal());

export { refuse as execFile, refuse as spawn };

/** As Node's of a program that cannot be started. */
export const spawnSync = () => ({ status: null, stdout: '', stderr: '', error: refusal() });
