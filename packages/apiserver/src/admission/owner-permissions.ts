import { isDeepStrictEqual } from 'node:util';
import { type OwnerReference, parseApiVersion } from '@wherry/kubeapi';
import type { Attributes } from '../authorization/authorizer.ts';
import { type AdmissionPlugin, type AdmissionRequest, refused } from './admission.ts';
import type { PluginParts } from './plugin-parts.ts';

const everyFinalizer = { group: '*', version: '*', resource: '*', namespace: '', name: '*' };

/**
 * Who changes whom an object belongs to must be allowed to delete it, since that is what a change may come to; who lets it hold up
 * its owner's deletion must be allowed to set the owner's finalizers, since that is what it is.
 */
export function ownerReferencesPermissionEnforcement({
  authorizer,
  served,
}: Pick<PluginParts, 'authorizer' | 'served'>): AdmissionPlugin {
  type Target = Pick<Attributes, 'group' | 'version' | 'resource' | 'namespace' | 'name'>;

  async function missingRight(
    { user }: AdmissionRequest,
    right: Target & { verb: string; subresource: string },
  ): Promise<string | undefined> {
    const { outcome, reason, error } = await authorizer.authorize({
      ...right,
      user,
      isResource: true,
      path: '',
    });
    return outcome === 'allow' ? undefined : `${reason}, ${error?.message ?? '<nil>'}`;
  }

  function ownersOf({ apiVersion, kind, name }: OwnerReference, request: AdmissionRequest): Target[] {
    const { group, version } = parseApiVersion(apiVersion) ?? { group: '', version: '' };
    return [...served()]
      .map(({ facts }) => facts)
      .filter((facts) => facts.group === group && facts.version === version && facts.kind === kind)
      .map(({ plural, namespaced }) => ({
        ...{ group, version, resource: plural, name },
        namespace: namespaced ? request.namespace : '',
      }));
  }

  return {
    name: 'OwnerReferencesPermissionEnforcement',
    isOffByDefault: true,
    handles: [{ operations: ['CREATE', 'UPDATE'], resources: ['*'] }],
    async validate(request) {
      const { resource, subresource, namespace, name, object, previous, operation } = request;
      const { group, version, plural } = resource;
      // Nobody changes owners through it.
      if (group === '' && plural === 'pods' && subresource === 'status') return;
      const next = object!.metadata?.ownerReferences ?? [];
      const before = previous?.metadata?.ownerReferences ?? [];
      if (isDeepStrictEqual(JSON.parse(JSON.stringify(next)), JSON.parse(JSON.stringify(before)))) return;
      if (operation === 'UPDATE') {
        const own = { group, version, resource: plural, subresource, namespace, name };
        const why = await missingRight(request, { ...own, verb: 'delete' });
        if (why !== undefined)
          throw refused(request, `cannot set an ownerRef on a resource you can't delete: ${why}`);
      }
      const wasBlocking = new Set(before.filter((owner) => owner.blockOwnerDeletion).map(({ uid }) => uid));
      const blocking = next.filter((owner) => owner.blockOwnerDeletion && !wasBlocking.has(owner.uid));
      if (blocking.length === 0) return;
      const change = { verb: 'update', subresource: 'finalizers' };
      if ((await missingRight(request, { ...everyFinalizer, ...change })) === undefined) return;
      for (const owner of blocking) {
        const targets = ownersOf(owner, request);
        const { apiVersion, kind } = owner;
        if (targets.length === 0) {
          const why = `no matches for kind "${kind}" in version "${apiVersion}"`;
          const what = `cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: ${why}`;
          throw refused(request, `cannot set blockOwnerDeletion in this case because ${what}`);
        }
        for (const target of targets) {
          const why = await missingRight(request, { ...target, ...change });
          if (why === undefined) continue;
          const what = "an ownerReference refers to a resource you can't set finalizers on";
          throw refused(request, `cannot set blockOwnerDeletion if ${what}: ${why}`);
        }
      }
    },
  };
}
