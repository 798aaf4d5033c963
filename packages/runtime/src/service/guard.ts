import { CriError } from '@wherry/cri';
import type { Logger } from '@wherry/telemetry';

type Handler = (request: object, context: { signal: AbortSignal }) => unknown;

/** Failures that callers expect in daily life and that need no line in the log. */
const quiet: ReadonlySet<string> = new Set(['NOT_FOUND', 'CANCELLED', 'UNIMPLEMENTED']);

/** Calls whose failures quote the command that was to be run, which is nobody else's business. */
const discreet: ReadonlySet<string> = new Set(['exec', 'execSync']);

function report(logger: Logger, call: string, error: unknown): CriError {
  const failure = CriError.from(error);
  const isDiscreet = discreet.has(call);
  const words = isDiscreet ? {} : { error: failure.message };
  if (!quiet.has(failure.code)) logger.warn('a call failed', { call, code: failure.code, ...words });
  if (!isDiscreet && failure.code === 'UNKNOWN' && error instanceof Error) {
    logger.debug('where it failed', { call, stack: error.stack });
  }
  return failure;
}

/** Gives every handler's failures their gRPC status, and a line in the log. */
export function guardHandlers<Handlers extends object>(handlers: Handlers, logger: Logger): Handlers {
  const guarded = Object.entries(handlers).map(([call, handler]) => [
    call,
    guard(call, handler as Handler, logger),
  ]);
  return Object.fromEntries(guarded) as Handlers;
}

function guard(call: string, handler: Handler, logger: Logger): Handler {
  return (request, context) => {
    const answer = begin(call, handler, logger, request, context);
    if (answer instanceof Promise) {
      return answer.catch((error) => {
        throw report(logger, call, error);
      });
    }
    return guardStream(call, answer as AsyncIterable<unknown>, logger);
  };
}

/** What is wrong with a request itself is thrown before anything is under way. */
function begin(
  call: string,
  handler: Handler,
  logger: Logger,
  ...[request, context]: Parameters<Handler>
): unknown {
  try {
    return handler(request, context);
  } catch (error) {
    throw report(logger, call, error);
  }
}

async function* guardStream(call: string, stream: AsyncIterable<unknown>, logger: Logger) {
  try {
    yield* stream;
  } catch (error) {
    throw report(logger, call, error);
  }
}
