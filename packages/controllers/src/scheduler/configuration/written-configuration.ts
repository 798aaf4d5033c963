import type { PluginConfig, PluginSet, Plugins, SchedulerConfiguration } from './configuration.ts';
import { pluginPoints } from './plugins.ts';

/** A configuration as upstream writes it for who asks what holds (`--write-config-to`): defaults filled in, arguments by name. */
export function writtenConfiguration(configuration: SchedulerConfiguration): object {
  const { kind, apiVersion, ...rest } = configuration;
  const profiles = configuration.profiles.map(({ plugins, pluginConfig, ...profile }) => {
    const named = new Set(
      Object.values(plugins).flatMap(({ enabled = [] }) => enabled.map(({ name }) => name)),
    );
    const known = pluginConfig.filter(({ name, args }) => named.has(name) && pluginPoints.has(name) && args);
    return {
      ...profile,
      plugins: Object.fromEntries(Object.entries(plugins).map(([point, set]) => [point, written(set)])),
      ...(known.length > 0 && { pluginConfig: known.sort(byName) }),
    };
  });
  return { kind, apiVersion, ...rest, profiles };
}

const byName = (a: PluginConfig, b: PluginConfig) => (a.name < b.name ? -1 : 1);

function written({ enabled, disabled }: PluginSet): Plugins[keyof Plugins] {
  const list = (plugins: PluginSet['enabled']) => plugins?.map(({ name, weight = 0 }) => ({ name, weight }));
  return {
    ...(enabled && { enabled: list(enabled)! }),
    ...(disabled && { disabled: list(disabled)! }),
  };
}
