import { RuntimeError } from '../errors.ts';

/** A way to run containers beside the default one, which RuntimeClasses name. */
export interface RuntimeHandler {
  /** Path of its OCI runtime. */
  ociRuntime: string;
  supportsRecursiveReadOnly: boolean;
}

/** Those beside the default, by name. */
export type RuntimeHandlers = ReadonlyMap<string, RuntimeHandler>;

/** What containers may be run by. */
export interface OciRuntimes {
  runtimeHandlers: RuntimeHandlers;
  /** Path of the default's OCI runtime; undefined leaves it to the monitor. */
  ociRuntime: string | undefined;
}

/** How the default one is called beside the empty name. */
export const defaultHandler = 'wherry';

const isDefault = (name: string) => name === '' || name === defaultHandler;

/** Whether pods may ask for it. */
export const isHandler = (handlers: ReadonlyMap<string, unknown>, name: string): boolean =>
  isDefault(name) || handlers.has(name);

/** What a pod asked for; undefined is the default. Throws `RuntimeError` for a name that none has, or has any more. */
export function handlerOf(handlers: RuntimeHandlers, name: string): RuntimeHandler | undefined {
  if (isDefault(name)) return undefined;
  const handler = handlers.get(name);
  if (handler) return handler;
  const others = [...handlers.keys()].map((each) => `"${each}"`).join(', ');
  throw new RuntimeError(
    'INVALID_ARGUMENT',
    `runtime handler "${name}" is not configured; there ${others ? `are the default and ${others}` : 'is only the default'}`,
  );
}

/** The OCI runtime of what a pod asked for; undefined is the monitor's own. Throws as {@link handlerOf} does. */
export const ociRuntimeOf = (
  { runtimeHandlers, ociRuntime }: OciRuntimes,
  name: string,
): string | undefined => handlerOf(runtimeHandlers, name)?.ociRuntime ?? ociRuntime;
