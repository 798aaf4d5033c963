import { spawn } from 'node:child_process';
import { fromReadable, fromWritable, onAbort, pump } from '@wherry/bytes';
import type { CommandOutcome, RemoteCommandSession } from '../src/index.ts';

/** A handler that runs a real process and hands its output over whole. */
export function runProcess(argv: readonly string[]) {
  return async (session: RemoteCommandSession): Promise<CommandOutcome> => {
    const [command = '', ...args] = argv;
    const child = spawn(command, args, { stdio: 'pipe' });
    onAbort(session.signal, () => child.kill('SIGHUP'));
    child.on('error', () => {});
    if (session.stdin) pump(session.stdin, fromWritable(child.stdin));
    else child.stdin.end();
    const outputs = [
      session.stdout ? pump(fromReadable(child.stdout), session.stdout) : child.stdout.resume(),
      session.stderr ? pump(fromReadable(child.stderr), session.stderr) : child.stderr.resume(),
    ];
    const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
    await Promise.all(outputs);
    const exitCode = await exited;
    if (child.pid === undefined)
      return { kind: 'failed', message: `error executing command in container: no ${command}` };
    return {
      kind: 'exited',
      exitCode: exitCode ?? 137,
      message: `error executing command [${argv.join(' ')}], exit code ${exitCode}`,
    };
  };
}
