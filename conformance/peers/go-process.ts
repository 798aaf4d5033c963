import { type ChildProcess, spawn } from 'node:child_process';

/** How a Go program ended. */
export interface GoPeerResult {
  exitCode: number | null;
  stdout: Buffer;
  stderr: string;
}

/** A running Go program. `await using` ends it. */
export interface GoPeer extends AsyncDisposable {
  readonly process: ChildProcess;
  /** Everything printed so far, as soon as that matches. Rejects when the program ends before. */
  output(wanted: RegExp): Promise<string>;
  result: Promise<GoPeerResult>;
}

/** Starts a Go program; `program` comes from `buildGoPeer`, and `env` is what its environment has besides. */
export function startGoPeer(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): GoPeer {
  const child = spawn(program, args, { stdio: 'pipe', env: { ...process.env, ...env } });
  const stdout: Buffer[] = [];
  let stderr = '';
  child.stdin.on('error', () => {});
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const result = new Promise<GoPeerResult>((resolve) => {
    child.once('close', (exitCode) => resolve({ exitCode, stdout: Buffer.concat(stdout), stderr }));
  });
  return {
    process: child,
    output(wanted) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const text = Buffer.concat(stdout).toString();
          if (!wanted.test(text)) return;
          child.stdout.off('data', look);
          resolve(text);
        };
        child.stdout.on('data', look);
        result.then(() => reject(new Error(`${program} ended before it printed ${wanted}: ${stderr}`)));
        look();
      });
    },
    result,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await result;
    },
  };
}

/** Runs a Go program to its end, with `input` on its stdin. */
export async function runGoPeer(
  program: string,
  args: readonly string[],
  input: string | Buffer = '',
): Promise<GoPeerResult> {
  await using peer = startGoPeer(program, args);
  peer.process.stdin?.end(input);
  return await peer.result;
}
