import { type CallContext, CriError } from '@wherry/cri';
import { readTraceparent, type Tracer, traceparentHeader } from '@wherry/telemetry';

type Handler = (request: object, context: CallContext) => unknown;

/** The same handlers, whose calls are spans below their callers': who reaches the socket may do everything. */
export function tracedHandlers<Handlers extends object>(
  handlers: Handlers,
  service: string,
  tracer: Tracer,
): Handlers {
  if (!tracer.isOn) return handlers;
  const traced = Object.entries(handlers).map(([call, handler]) => [
    call,
    tracedHandler(handler as Handler, { service, call, tracer }),
  ]);
  return Object.fromEntries(traced) as Handlers;
}

function tracedHandler(
  handler: Handler,
  { service, call, tracer }: { service: string; call: string; tracer: Tracer },
): Handler {
  const method = `${call.charAt(0).toUpperCase()}${call.slice(1)}`;
  const facts = { 'rpc.system': 'grpc', 'rpc.service': service, 'rpc.method': method };
  // A list that comes in parts, or does not end, is no piece of work.
  if (call === 'getContainerEvents' || call.startsWith('stream')) return handler;
  return (request, context) => {
    const parent = readTraceparent(context.header?.(traceparentHeader)) ?? 'none';
    const isFailure = (error: unknown) => CriError.from(error).code !== 'NOT_FOUND';
    return tracer.within(`${service}/${method}`, { kind: 'server', parent, facts, isFailure }, async () =>
      handler(request, context),
    );
  };
}
