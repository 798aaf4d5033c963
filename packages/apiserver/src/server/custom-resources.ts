import { pathNotFound } from '@wherry/kubeapi';
import { sendObject } from '../http/responder.ts';
import type { ResourceHandler } from '../registry/handler.ts';

const group = 'apiextensions.k8s.io';

/**
 * Says that there are no custom resources. kubectl asks before it validates or dry-runs a kind without a PATCH (a review,
 * a binding), and gives up when nobody answers; 1.20 asks for v1beta1.
 */
export const customResourceHandlers: ReadonlyMap<string, ResourceHandler> = new Map(
  ['v1', 'v1beta1'].map((version) => [
    `${group}/${version}/customresourcedefinitions`,
    async ({ info, media }, wire) => {
      if (info.verb !== 'list') throw pathNotFound();
      const none = {
        apiVersion: `${group}/${version}`,
        kind: 'CustomResourceDefinitionList',
        metadata: {},
        items: [],
      };
      sendObject(none, {
        response: wire.response(),
        media: { ...media, as: 'object', encoding: 'json' },
        code: 200,
        nowMs: 0,
      });
    },
  ]),
);
