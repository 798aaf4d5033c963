import type { ExtensionPoint, Plugin, SchedulerProfile } from './configuration.ts';
import { extensionPoints } from './configuration.ts';
import { pluginPoints } from './plugins.ts';

/** The plug-ins of a profile at each point, in the order in which they take part; a weight where they score. */
export type ExpandedPlugins = Readonly<Record<ExtensionPoint, readonly Required<Plugin>[]>>;

/**
 * Brings a profile's plug-ins to the points of which they take part, as upstream's framework does: what a point names itself stands
 * before what `multiPoint` brings there. Throws an Error in its words.
 */
export function expandPlugins({ plugins, schedulerName = '' }: SchedulerProfile): ExpandedPlugins {
  const named = new Map(extensionPoints.map((point) => [point, namedAt(point, plugins[point].enabled)]));
  const all = extensionPoints.map((point) => {
    const own = named.get(point)!;
    const off = new Set(plugins[point].disabled?.map(({ name }) => name));
    const names = off.has('*')
      ? own.map(({ name }) => name)
      : ordered(point, own, { off, multiPoint: plugins.multiPoint.enabled ?? [] });
    const weightOf = (name: string) => {
      const found = [...own, ...(plugins.multiPoint.enabled ?? [])].find((each) => each.name === name);
      return point === 'score' ? found?.weight || 1 : 0;
    };
    return [point, names.map((name) => ({ name, weight: weightOf(name) }))];
  });
  const expanded = Object.fromEntries(all) as ExpandedPlugins;
  const profile = `for profile with scheduler name "${schedulerName}"`;
  const { length } = expanded.queueSort;
  if (length !== 1) throw new Error(`only one queue sort plugin required ${profile}, but got ${length}`);
  if (expanded.bind.length === 0) throw new Error(`at least one bind plugin is needed ${profile}`);
  return expanded;
}

/** As Go calls what takes part there. */
const typeOf = (point: ExtensionPoint): string => `${point[0]!.toUpperCase()}${point.slice(1)}Plugin`;

function namedAt(point: ExtensionPoint, enabled: readonly Plugin[] = []): readonly Plugin[] {
  const seen = new Set<string>();
  for (const { name } of enabled) {
    const points = pluginPoints.get(name);
    if (!points) throw new Error(`${typeOf(point)} "${name}" does not exist`);
    if (!points.includes(point)) throw new Error(`plugin "${name}" does not extend ${typeOf(point)} plugin`);
    if (seen.has(name)) throw new Error(`plugin "${name}" already registered as "${typeOf(point)}"`);
    seen.add(name);
  }
  return enabled;
}

function ordered(
  point: ExtensionPoint,
  own: readonly Plugin[],
  { off, multiPoint }: { off: ReadonlySet<string>; multiPoint: readonly Plugin[] },
): string[] {
  const ownNames = own.map(({ name }) => name);
  const brought: string[] = [];
  const again = new Set<string>();
  for (const { name } of multiPoint) {
    const points = pluginPoints.get(name);
    if (!points) throw new Error(`${typeOf(point)} "${name}" does not exist`);
    if (!points.includes(point) || off.has(name)) continue;
    if (ownNames.includes(name)) again.add(name);
    else if (brought.includes(name))
      throw new Error(`plugin "${name}" already registered as "${typeOf(point)}"`);
    else brought.push(name);
  }
  return [
    ...ownNames.filter((name) => again.has(name)),
    ...brought,
    ...ownNames.filter((name) => !again.has(name)),
  ];
}
