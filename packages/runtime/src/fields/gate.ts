import { messageFields } from '@wherry/cri';
import { RuntimeError } from '../errors.ts';
import { requestTables } from './tables.ts';
import type { FieldGround, Refusal } from './verdict.ts';

/**
 * Refuses a message that asks for what this runtime cannot do, by the field's name. Throws `RuntimeError`
 * INVALID_ARGUMENT. `path` is what stands before the field's own name.
 */
export function refuseUnsupported(
  messageName: string,
  message: Readonly<Record<string, unknown>>,
  ground: FieldGround,
  path = '',
): void {
  const verdicts = requestTables.get(messageName);
  if (!verdicts) return;
  for (const { name, message: inner } of messageFields(messageName) ?? []) {
    const value = Object.hasOwn(message, name) ? message[name] : undefined;
    const verdict = Object.hasOwn(verdicts, name) ? verdicts[name] : undefined;
    if (value === undefined) continue;
    for (const refusal of (verdict?.refused ?? []) as readonly Refusal<unknown>[]) {
      if (refusal.matches(value, ground))
        throw new RuntimeError('INVALID_ARGUMENT', `${path}${name}: ${refusal.why}`);
    }
    if (inner === undefined) continue;
    if (!Array.isArray(value))
      refuseUnsupported(inner, value as Record<string, unknown>, ground, `${path}${name}.`);
    else
      for (const [index, item] of value.entries())
        refuseUnsupported(inner, item, ground, `${path}${name}[${index}].`);
  }
}

type Handler = (request: Record<string, unknown>, context: { signal: AbortSignal }) => unknown;

/** Lets only those requests through to handlers that hold nothing which is refused; `requests` names their messages. */
export function gateHandlers<Handlers extends object>(
  handlers: Handlers,
  requests: ReadonlyMap<string, string>,
  ground: FieldGround,
): Handlers {
  const gated = Object.entries(handlers).map(([method, handler]) => {
    const messageName = requests.get(method) ?? '';
    const pass: Handler = (request, context) => {
      refuseUnsupported(messageName, request, ground);
      return (handler as Handler)(request, context);
    };
    return [method, pass];
  });
  return Object.fromEntries(gated) as Handlers;
}
