import {
  messages,
  type PluginInfo,
  type RegistrationMethods,
  services,
} from '../../generated/plugin-registration.ts';
import { connectPlugIn } from '../../ground/plug-ins/connect-plug-in.ts';
import { plugInCallMs, plugInVersionsMax, plugInWordsMax } from '../../limits.ts';

/** Takes plug-ins of one type. */
export interface PlugInHandler {
  /** What plug-ins say of themselves: `CSIPlugin`. */
  readonly type: string;
  /** What is to be done before any plug-in is there. */
  begin?(signal: AbortSignal): Promise<void>;
  /** Throws why the plug-in can't be taken; then it is as before. */
  register(plugIn: PlugIn, signal: AbortSignal): Promise<void>;
  deregister(plugIn: PlugIn, signal: AbortSignal): Promise<void>;
}

/** A plug-in that registered. */
export interface PlugIn {
  name: string;
  endpoint: string;
  versions: readonly string[];
}

const schema = { package: 'pluginregistration', messages, services };

/**
 * Asks the plug-in behind a socket what it is, gives it to its handler and tells it what came of that. Throws when it was
 * not taken, or could not be told that it was.
 */
export async function registerPlugIn(
  socketPath: string,
  handlers: readonly PlugInHandler[],
  signal: AbortSignal,
): Promise<{ plugIn: PlugIn; handler: PlugInHandler }> {
  const connection = connectPlugIn(socketPath, 'plug-in');
  const service = connection.service<RegistrationMethods>(schema, 'Registration');
  const options = { signal, timeoutMs: plugInCallMs };
  try {
    const info = await service.getInfo({}, options);
    requireBounds(info, socketPath);
    const handler = handlers.find(({ type }) => type === info.type);
    const plugIn = plugInOf(info, socketPath);
    try {
      if (!handler) throw new Error(noHandler(info.type, socketPath));
      await handler.register(plugIn, signal);
    } catch (error) {
      const words = `RegisterPlugin error -- plugin registration failed with err: ${(error as Error).message}`;
      await service.notifyRegistrationStatus({ pluginRegistered: false, error: words }, options);
      throw error;
    }
    try {
      await service.notifyRegistrationStatus({ pluginRegistered: true, error: '' }, options);
    } catch (error) {
      await handler.deregister(plugIn, signal);
      throw error;
    }
    return { plugIn, handler };
  } finally {
    connection.close();
  }
}

/** It is repeated in logs, errors and paths. */
function requireBounds({ type, name, endpoint, supportedVersions }: PluginInfo, socketPath: string): void {
  const isLong = [type, name, endpoint, ...supportedVersions].some(({ length }) => length > plugInWordsMax);
  if (isLong || supportedVersions.length > plugInVersionsMax)
    throw new Error(
      `the plug-in at ${socketPath} says too much of itself: more than ${plugInWordsMax} characters, or ${plugInVersionsMax} versions`,
    );
}

const noHandler = (type: string, socketPath: string) =>
  `no handler registered for plugin type: ${type} at socket ${socketPath}`;

function plugInOf({ name, endpoint, supportedVersions }: PluginInfo, socketPath: string): PlugIn {
  return { name, endpoint: endpoint || socketPath, versions: supportedVersions };
}
