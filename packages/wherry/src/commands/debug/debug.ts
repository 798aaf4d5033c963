import type { KubeClient, KubeObject } from '@wherry/client';
import type { Node, Pod } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor } from '../../kube/flags.ts';
import { Catalog } from '../../objects/catalog.ts';
import { readManifests } from '../../objects/manifests/manifests.ts';
import { namespaceOf } from '../../objects/namespace-of.ts';
import { type NamedObject, parseNames } from '../../objects/targets.ts';
import { Failures } from '../../output/failures.ts';
import { check } from './check.ts';
import { debugByCopy } from './copy.ts';
import { readCustomProfile } from './custom-profile.ts';
import { debugBeside } from './ephemeral.ts';
import type { DebugFlags } from './flags.ts';
import { debugNode } from './node-pod.ts';
import { profileNamed } from './profiles.ts';
import type { Debugged, DebugRequest } from './request.ts';
import { joinDebugger } from './session.ts';

/** Looks into pods and nodes, one after the other, as kubectl does; `words` stood behind `--`. The first failure ends it, but for files that hold
 * something broken: those are told of at the end. */
export async function debug(
  names: readonly string[],
  words: readonly string[],
  flags: DebugFlags,
): Promise<void> {
  const profile = profileNamed(flags.profile);
  const custom = flags.custom ? readCustomProfile(flags.custom) : undefined;
  check({ names, words, custom, flags });
  const client = clientFor(flags);
  const request: DebugRequest = { words, profile, custom, flags };
  const joins = flags.attach ?? flags.stdin === true;
  const failures = new Failures();
  for await (const one of targets(client, names, { flags, failures })) {
    const { pod, container } = await debugOne(client, one, request);
    if (joins && container !== undefined) await joinDebugger(client, pod, container, flags);
  }
  failures.report();
}

interface DebugTarget extends NamedObject {
  object: KubeObject;
}

/** Objects of files are taken as the files have them. */
async function* targets(
  client: KubeClient,
  names: readonly string[],
  { flags, failures }: { flags: DebugFlags; failures: Failures },
): AsyncGenerator<DebugTarget> {
  const catalog = await Catalog.of(client);
  const { filename = [] } = flags;
  if (filename.length > 0) {
    if (names.length > 0)
      throw new CommandError('resource/name arguments cannot be provided when a path is specified');
    for (const found of await readManifests(filename, { failures })) {
      const { object } = found;
      const resource = catalog.ofObject(object);
      const namespace = namespaceOf(found, resource, { flags, client });
      yield { resource, name: object.metadata.name ?? '', namespace, object };
    }
    return;
  }
  for (const one of parseNames(names, { type: podsOf(catalog), catalog })) {
    const namespace = one.resource.namespaced ? (flags.namespace ?? client.access.namespace) : undefined;
    const object = await client.resource<KubeObject>(one.resource).get({ name: one.name, namespace });
    yield { ...one, namespace, object };
  }
}

const podsOf = (catalog: Catalog) => catalog.ofObject({ apiVersion: 'v1', kind: 'Pod' });

function debugOne(
  client: KubeClient,
  { resource, object, namespace }: DebugTarget,
  request: DebugRequest,
): Promise<Debugged> {
  const { group, version, kind } = resource;
  if (group === '' && kind === 'Node') return debugNode(client, object as Node, request);
  if (group !== '' || kind !== 'Pod')
    throw new CommandError(`"${group}/${version}, Kind=${kind}" not supported by debug`);
  const pod = { ...object, metadata: { ...object.metadata, ...(namespace && { namespace }) } } as Pod;
  return request.flags.copyTo ? debugByCopy(client, pod, request) : debugBeside(client, pod, request);
}
