import { pathNotFound } from '@wherry/kubeapi';
import type { Collection } from '../registry/collection.ts';
import type { ResourceHandler } from '../registry/handler.ts';
import { listObjects } from '../registry/list.ts';
import { sendObject } from '../responses/responder.ts';

const group = 'apiextensions.k8s.io';

/**
 * Tells kubectl before 1.22, which asks in the first version of definitions before it validates or dry-runs a kind without
 * a PATCH, which kinds are custom ones. It looks at their group and names alone.
 */
export function oldDefinitionHandlers(definitions: Collection): ReadonlyMap<string, ResourceHandler> {
  const version = 'v1beta1';
  const serve: ResourceHandler = async (request, wire) => {
    if (request.info.verb !== 'list') throw pathNotFound();
    const { items } = await listObjects(definitions, request);
    const list = {
      apiVersion: `${group}/${version}`,
      kind: 'CustomResourceDefinitionList',
      metadata: {},
      items: items.map(({ object }) => ({
        metadata: { name: object.metadata.name },
        spec: { group: object.spec?.['group'], names: object.spec?.['names'], scope: object.spec?.['scope'] },
      })),
    };
    sendObject(list, {
      response: wire.response(),
      media: { ...request.media, as: 'object', encoding: 'json' },
      code: 200,
      nowMs: 0,
    });
  };
  return new Map([[`${group}/${version}/customresourcedefinitions`, serve]]);
}
