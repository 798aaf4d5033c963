import {
  type ContainerAdjustment,
  Field,
  type Hooks,
  type LinuxContainerAdjustment,
} from '../generated/nri.ts';
import { hooksBy } from './hooks.ts';
import type { Owners } from './owners.ts';
import { claimsOf, joined, notActedOn } from './resources.ts';

/** A mark before a name: the plug-in wants it away. */
export const removalOf = (name: string): string | undefined =>
  name.startsWith('-') ? name.slice(1) : undefined;

/** Adjustments that ask for nothing. */
export const noAdjustment = (): ContainerAdjustment & { linux: LinuxContainerAdjustment } => ({
  annotations: {},
  mounts: [],
  env: [],
  hooks: undefined,
  rlimits: [],
  cdiDevices: [],
  args: [],
  linux: { devices: [], cgroupsPath: '', namespaces: [], sysctl: {}, netDevices: {} },
});

/** Who asks, for which container, and who asked before. */
interface Turn {
  id: string;
  plugIn: string;
  owners: Owners;
}

/** Entries with a name: what is marked goes, also from those of earlier plug-ins; what is there afterwards has one owner. */
function together<Entry>(
  before: readonly Entry[],
  next: readonly Entry[],
  { id, plugIn, owners, field, nameOf }: Turn & { field: number; nameOf(entry: Entry): string },
): Entry[] {
  const removed = new Set(next.flatMap((entry) => removalOf(nameOf(entry)) ?? []));
  for (const name of removed) owners.clear(id, field, name);
  const added = next.filter((entry) => removalOf(nameOf(entry)) === undefined);
  for (const entry of added) owners.claim(id, plugIn, field, nameOf(entry));
  const names = new Set(added.map(nameOf));
  const isSet = (entry: Entry) => removed.has(nameOf(entry)) || names.has(nameOf(entry));
  const onlyRemoved = next.filter((entry) => {
    const name = removalOf(nameOf(entry));
    return name !== undefined && !names.has(name);
  });
  return [...before.filter((entry) => !isSet(entry)), ...onlyRemoved, ...added];
}

function togetherByKey(
  before: Readonly<Record<string, string>>,
  next: Readonly<Record<string, string>>,
  turn: Turn & { field: number },
): Record<string, string> {
  return Object.fromEntries(
    together(Object.entries(before), Object.entries(next), { ...turn, nameOf: ([name]) => name }),
  );
}

function refuseOthers(linux: LinuxContainerAdjustment): void {
  const asked = {
    io_priority: linux.ioPriority,
    scheduler: linux.scheduler,
    rdt: linux.rdt,
    memory_policy: linux.memoryPolicy,
    net_devices: Object.keys(linux.netDevices)[0],
  };
  for (const [name, value] of Object.entries(asked))
    if (value !== undefined) throw notActedOn(`linux.${name}`);
}

function linuxTogether(
  before: LinuxContainerAdjustment,
  next: LinuxContainerAdjustment,
  turn: Turn,
): LinuxContainerAdjustment {
  const { id, plugIn, owners } = turn;
  refuseOthers(next);
  for (const [field, key] of next.resources ? claimsOf(next.resources) : [])
    owners.claim(id, plugIn, field, key);
  if (next.cgroupsPath !== '') owners.claim(id, plugIn, Field.CgroupsPath);
  if (next.oomScoreAdj) owners.claim(id, plugIn, Field.OomScoreAdj);
  if (next.seccompPolicy) owners.claim(id, plugIn, Field.SeccompPolicy);
  for (const { type } of next.namespaces) owners.claim(id, plugIn, Field.Namespace, removalOf(type) ?? type);
  return {
    devices: together(before.devices, next.devices, {
      ...turn,
      field: Field.Devices,
      nameOf: ({ path }) => path,
    }),
    resources: next.resources ? joined(before.resources, next.resources) : before.resources,
    cgroupsPath: next.cgroupsPath || before.cgroupsPath,
    oomScoreAdj: next.oomScoreAdj ?? before.oomScoreAdj,
    seccompPolicy: next.seccompPolicy ?? before.seccompPolicy,
    namespaces: [...before.namespaces, ...next.namespaces],
    sysctl: togetherByKey(before.sysctl, next.sysctl, { ...turn, field: Field.Sysctl }),
    netDevices: {},
  };
}

function hooksTogether(before: Hooks | undefined, next: Hooks | undefined): Hooks | undefined {
  if (!before || !next) return next ?? before;
  return hooksBy((phase) => [...before[phase], ...next[phase]]);
}

/**
 * What one plug-in more asks of a container, laid over what those before it asked. Throws `RuntimeError` for what another
 * has set, and for what is not acted on.
 */
export function adjustedBy(
  before: ReturnType<typeof noAdjustment>,
  next: ContainerAdjustment,
  turn: Turn,
): ReturnType<typeof noAdjustment> {
  const { id, plugIn, owners } = turn;
  const [first, ...others] = next.args;
  if (first === '') owners.clear(id, Field.Args);
  if (first !== undefined) owners.claim(id, plugIn, Field.Args);
  for (const { type } of next.rlimits) owners.claim(id, plugIn, Field.Rlimits, type);
  for (const { name } of next.cdiDevices) owners.claim(id, plugIn, Field.CdiDevices, name);
  if (next.hooks) owners.share(id, plugIn, Field.OciHooks);
  return {
    annotations: togetherByKey(before.annotations, next.annotations, { ...turn, field: Field.Annotations }),
    mounts: together(before.mounts, next.mounts, {
      ...turn,
      field: Field.Mounts,
      nameOf: ({ destination }) => destination,
    }),
    env: together(before.env, next.env, { ...turn, field: Field.Env, nameOf: ({ key }) => key }),
    args: first === undefined ? before.args : first === '' ? others : next.args,
    hooks: hooksTogether(before.hooks, next.hooks),
    rlimits: [...before.rlimits, ...next.rlimits],
    cdiDevices: [...before.cdiDevices, ...next.cdiDevices],
    linux: next.linux ? linuxTogether(before.linux, next.linux, turn) : before.linux,
  };
}
