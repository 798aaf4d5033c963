import { builtInType, formatApiVersion, ownValue, type ResourceFacts, resources } from '@wherry/kubeapi';
import type { ServedResource } from '../objects/strategy.ts';
import { SettingsError } from '../settings-error.ts';
import { hubConversion } from './hub-conversion.ts';
import { servedKind } from './index.ts';

/**
 * `--runtime-config`: `apps/v1` or `apps/v1/deployments` (`v1`, `v1/pods`, also `api/v1`) to true or false, `api/ga`, `api/beta` and
 * `api/alpha` for all versions of that kind, `api/all` for everything that can be served. The narrower word counts.
 */
export type RuntimeConfig = Readonly<Record<string, boolean>>;

/** The resources that a server with this configuration serves. Throws {@link SettingsError} where it names what there is not. */
export function servedResources(runtimeConfig: RuntimeConfig = {}): ResourceFacts[] {
  requireKnown(runtimeConfig);
  const named = Object.entries(runtimeConfig).map(([name, isWanted]) => [coreName(name), isWanted] as const);
  const switches = Object.fromEntries(named);
  return resources.filter((facts) => isServed(facts, switches));
}

/** The core group by its path, `api/v1`, which is written as `v1` too. */
const coreName = (name: string) => name.replace(/^api\/(?=v1(\/|$))/, '');

/** A resource with its behaviour and its place in the store. What goes by itself does so after `lifetimeMs`, where that is given. */
export function toServedResource(
  facts: ResourceFacts,
  { lifetimeMs }: { lifetimeMs?: number | undefined } = {},
): ServedResource {
  const { group, plural } = facts;
  const { strategy: own = {}, conversion: kindConversion } = servedKind(facts);
  const isOtherTime = lifetimeMs !== undefined && own.lifetimeMs !== undefined;
  const strategy = isOtherTime ? { ...own, lifetimeMs } : own;
  const ownPrefix = group === '' ? `/${plural}/` : `/${group}/${plural}/`;
  const conversion = kindConversion ?? hubConversion(facts, ownPrefix);
  return {
    facts,
    get type() {
      return builtInType(facts);
    },
    strategy,
    conversion,
    keyPrefix: conversion?.keyPrefix ?? ownPrefix,
  };
}

const stabilities = ['api/alpha', 'api/beta', 'api/ga'] as const;

function stabilityOf(version: string): (typeof stabilities)[number] {
  return stabilities.find((name) => version.includes(name.slice('api/'.length))) ?? 'api/ga';
}

function isServed(facts: ResourceFacts, runtimeConfig: RuntimeConfig): boolean {
  const { group, version, plural } = facts;
  const groupVersion = formatApiVersion(group, version);
  const told =
    ownValue(runtimeConfig, `${groupVersion}/${plural}`) ??
    ownValue(runtimeConfig, groupVersion) ??
    ownValue(runtimeConfig, stabilityOf(version)) ??
    ownValue(runtimeConfig, 'api/all');
  return told ?? true;
}

function requireKnown(runtimeConfig: RuntimeConfig): void {
  const names = resources.flatMap(({ group, version, plural }) => {
    const groupVersion = formatApiVersion(group, version);
    return [groupVersion, `${groupVersion}/${plural}`];
  });
  const known = new Set<string>(['api/all', ...stabilities, ...names]);
  for (const [name, isWanted] of Object.entries<unknown>(runtimeConfig)) {
    if (!known.has(coreName(name)))
      throw new SettingsError(
        `--runtime-config: "${name}" is nothing that is served here; want GROUP/VERSION or GROUP/VERSION/RESOURCE ` +
          '(v1 for the core group), api/all, api/ga, api/beta or api/alpha',
      );
    if (typeof isWanted !== 'boolean')
      throw new SettingsError(
        `--runtime-config: "${name}" is ${JSON.stringify(isWanted)}; want true or false`,
      );
  }
}
