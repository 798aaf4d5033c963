/** How much slower than usual this machine is: 1, or `WHERRY_TEST_SLOWNESS`, e.g. under software emulation. */
export const slowness = Number(process.env['WHERRY_TEST_SLOWNESS'] ?? '1');

/** A time limit as this machine needs it. */
export const stretched = (milliseconds: number): number => milliseconds * slowness;

/** kubectl's `--timeout` flag, stretched. */
export const timeoutFlag = (seconds: number): string => `--timeout=${seconds * slowness}s`;
