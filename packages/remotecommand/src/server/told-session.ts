import { meterSink, meterSource } from '@wherry/bytes';
import type { LiveSession, SessionOutcome } from '@wherry/telemetry';
import type { CommandOutcome } from '../session.ts';
import type { ServerStreams } from './streams.ts';

/** The client's streams, whose bytes the session is told of. */
export function meteredStreams(
  session: LiveSession | undefined,
  { stdin, stdout, stderr }: Pick<ServerStreams, 'stdin' | 'stdout' | 'stderr'>,
): Pick<ServerStreams, 'stdin' | 'stdout' | 'stderr'> {
  if (!session) return { stdin, stdout, stderr };
  const output = (name: 'stdout' | 'stderr', sink: ServerStreams['stdout']) => {
    if (!sink) return null;
    const { down } = session.stream(name);
    down.holds(() => sink.bufferedBytes);
    return meterSink(sink, down);
  };
  return {
    stdin: stdin && meterSource(stdin, session.stream('stdin').up),
    stdout: output('stdout', stdout),
    stderr: output('stderr', stderr),
  };
}

/** How a served session ended; `isLeft`: its client had gone before the command ended. */
export function commandEnd(
  served: { statusCode: number; outcome: CommandOutcome | null; error: Error | null },
  { isLeft }: { isLeft: boolean },
): SessionOutcome {
  const { statusCode, outcome, error } = served;
  const message = error ? { message: error.message } : {};
  if (statusCode !== 101) return { reason: 'refused', statusCode, ...message };
  if (!outcome) return { reason: 'broken', by: 'client', ...message };
  if (outcome.kind === 'exited')
    return { reason: 'exited', exitCode: outcome.exitCode, by: isLeft ? 'client' : 'process', ...message };
  return isLeft
    ? { reason: 'broken', by: 'client', ...message }
    : { reason: 'failed', message: outcome.message };
}
