import { builtInType, formatApiVersion, ownValue, type ResourceFacts, resources } from '@wherry/kubeapi';
import type { ServedResource } from '../objects/strategy.ts';
import { hubConversion } from './hub-conversion.ts';
import { servedKind } from './index.ts';

/**
 * `--runtime-config`: `apps/v1` or `apps/v1/deployments` to true or false, `api/all` for everything that can be
 * served.
 */
export type RuntimeConfig = Readonly<Record<string, boolean>>;

/** The resources that a server with this configuration serves. */
export function servedResources(runtimeConfig: RuntimeConfig = {}): ResourceFacts[] {
  return resources.filter((facts) => isServed(facts, runtimeConfig));
}

/** A resource with its behaviour and its place in the store. */
export function toServedResource(facts: ResourceFacts): ServedResource {
  const { group, plural } = facts;
  const { strategy = {}, conversion: kindConversion } = servedKind(facts);
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

function isServed(facts: ResourceFacts, runtimeConfig: RuntimeConfig): boolean {
  const { group, version, plural } = facts;
  const groupVersion = formatApiVersion(group, version);
  const told =
    ownValue(runtimeConfig, `${groupVersion}/${plural}`) ??
    ownValue(runtimeConfig, groupVersion) ??
    runtimeConfig['api/all'];
  return told ?? true;
}
