import type { JsonObject } from '../state/json.ts';
import type { NetworkList, PluginConfig } from './network-list.ts';
import type { PluginResult } from './plugin-result.ts';

/** What a plug-in is asked to do. */
export type CniCommand = 'ADD' | 'CHECK' | 'DEL' | 'GC' | 'STATUS' | 'VERSION';

/** A pod's interface on a network, as plug-ins are told of it. */
export interface Attachment {
  containerId: string;
  /** '' when the namespace is gone. */
  namespacePath: string;
  interfaceName: string;
  args: readonly (readonly [string, string])[];
  /** For capabilities that plug-ins ask for, by their names. */
  capabilityArgs: JsonObject;
}

/** One run of a plug-in: the environment that the specification names, and stdin. */
export interface PluginCall {
  type: string;
  command: CniCommand;
  environment: Readonly<Record<string, string>>;
  stdin: string;
}

/** What a configuration is completed with. */
interface Additions {
  prevResult?: PluginResult | undefined;
  attachment?: Attachment;
  more?: JsonObject;
}

/** A call for a plug-in of a network. */
export function callOf(
  command: CniCommand,
  list: NetworkList,
  plugin: PluginConfig,
  { prevResult, attachment, more }: Additions = {},
): PluginCall {
  const { name, version } = list;
  const runtimeConfig = attachment && runtimeConfigOf(plugin, attachment);
  const config = {
    ...plugin.config,
    name,
    cniVersion: version,
    ...(prevResult && { prevResult }),
    ...(runtimeConfig && { runtimeConfig }),
    ...more,
  };
  return {
    type: plugin.type,
    command,
    environment: environmentOf(command, attachment),
    stdin: JSON.stringify(config),
  };
}

/** Only what the plug-in asks for by its capabilities, and only what there is. */
function runtimeConfigOf(
  { capabilities }: PluginConfig,
  { capabilityArgs }: Attachment,
): JsonObject | undefined {
  const given = Object.entries(capabilityArgs).filter(([name]) => capabilities.includes(name));
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

function environmentOf(command: CniCommand, attachment: Attachment | undefined): Record<string, string> {
  return {
    CNI_COMMAND: command,
    CNI_CONTAINERID: attachment?.containerId ?? '',
    CNI_NETNS: attachment?.namespacePath ?? '',
    CNI_IFNAME: attachment?.interfaceName ?? '',
    CNI_ARGS: (attachment?.args ?? []).map(([name, value]) => `${name}=${value}`).join(';'),
  };
}

/** Asks which versions a plug-in knows; old ones want the other variables to be there. */
export const versionCall = (type: string): PluginCall => ({
  type,
  command: 'VERSION',
  environment: {
    CNI_COMMAND: 'VERSION',
    CNI_CONTAINERID: '',
    CNI_NETNS: 'none',
    CNI_IFNAME: 'none',
    CNI_ARGS: '',
  },
  stdin: JSON.stringify({ cniVersion: '1.1.0' }),
});
