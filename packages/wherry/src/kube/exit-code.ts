/** Ends this process with the remote exit code once it is done, and says it when it is not 0. */
export function reportExitCode(exitCode: number): void {
  process.exitCode = exitCode;
  if (exitCode !== 0) console.error(`command terminated with exit code ${exitCode}`);
}
