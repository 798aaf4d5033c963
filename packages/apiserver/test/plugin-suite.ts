import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ResourceFacts, resources, StatusError, schemaOfKind } from '@wherry/kubeapi';
import { type AdmissionPlugin, type AdmissionRequest, isHandled } from '../src/admission/admission.ts';
import type { PluginFactory } from '../src/admission/plugin-parts.ts';
import { userInfo } from '../src/authentication/identity.ts';
import type { ApiObject } from '../src/objects/api-object.ts';
import { type OddValues, oddObject } from './odd-objects.ts';
import { TestParts } from './test-parts.ts';

const operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const;
const users = [userInfo('somebody', []), userInfo('system:node:worker', ['system:nodes'])];
const oddities: OddValues[] = [
  { text: '', number: 0, flag: false },
  { text: 'x', number: -1, flag: true },
];

/** Names of a rule's resources whose objects the suite makes; `*` is tried on these as well. */
const common = ['/configmaps', '/pods', '/pods/binding', '/namespaces', 'coordination.k8s.io/leases'];

/** One request that the suite makes. */
interface Case {
  text: string;
  request: AdmissionRequest;
}

/** The tests that every admission plug-in must pass. Call it inside a test file. */
export function pluginSuite(make: PluginFactory): void {
  describe(`the admission plug-in ${make.name}`, () => {
    let parts: TestParts;
    let plugin: AdmissionPlugin;
    before(async () => {
      parts = await TestParts.start();
      plugin = make(parts.all);
    });
    after(() => parts.close());

    it('has a name, and says which operations on which resources it handles', () => {
      assert.match(plugin.name, /^[A-Z][A-Za-z]+$/);
      assert.ok(plugin.admit ?? plugin.validate, 'it has no phase');
      for (const { operations: named, resources: paths } of plugin.handles) {
        assert.ok(named.length > 0 && paths.length > 0);
        for (const path of paths)
          assert.ok(path === '*' || places(path.replace('/*', '')).length > 0, `nothing is at ${path}`);
      }
    });

    it('changes nothing when it validates, and nothing but the object when it admits', async () => {
      for (const { request } of cases(plugin)) {
        freeze(request.previous);
        freeze(request.options);
        if (plugin.onlyRefuses) freeze(request.object);
        await outcomeOf(() => plugin.admit?.(request));
        freeze(request.object);
        await outcomeOf(() => plugin.validate?.(request));
      }
    });

    it('changes nothing more when it is asked again', async () => {
      for (const { text, request } of cases(plugin)) {
        if ((await outcomeOf(() => plugin.admit?.(request))) !== undefined) continue;
        const before = structuredClone(request.object);
        const refusal = await outcomeOf(() => plugin.admit?.(request));
        assert.deepEqual([refusal, request.object], [undefined, before], text);
      }
    });

    it('refuses by Status errors that name the resource, whatever the object holds', async () => {
      for (const { text, request } of cases(plugin)) {
        const refusals = [
          await outcomeOf(() => plugin.admit?.(request)),
          await outcomeOf(() => plugin.validate?.(request)),
        ];
        for (const refusal of refusals.filter((error) => error !== undefined)) {
          assert.ok(refusal instanceof StatusError, `${text}: ${String(refusal.stack)}`);
          assert.ok(refusal.code >= 400 && refusal.code < 500, `${text}: ${refusal.message}`);
          const { group, plural } = request.resource;
          const name = group === '' ? plural : `${plural}.${group}`;
          if (refusal.code === 403) assert.ok(refusal.message.startsWith(`${name} "a" is forbidden: `), text);
        }
      }
    });

    it('leaves other resources alone', async () => {
      const [served] = places('/configmaps');
      const facts = { ...served!.resource, group: 'example.com', plural: 'widgets' };
      for (const operation of operations) {
        const request = requestOf(
          { resource: facts, subresource: '' },
          operation,
          { data: { a: 'b' } },
          users[0]!,
        );
        if (!isHandled(plugin.handles, request)) continue;
        const before = structuredClone(request.object);
        await plugin.admit?.(request);
        await plugin.validate?.(request);
        assert.deepEqual(request.object, before, operation);
      }
    });
  });
}

/** What a rule's path stands for; `/*` is the sub-resources that there are. */
function places(path: string): { resource: ResourceFacts; subresource: string }[] {
  const [group = '', plural = '', subresource = ''] = path.split('/');
  return resources
    .filter((resource) => resource.group === group && resource.plural === plural)
    .flatMap((resource) => {
      const known = (resource.subresources ?? []).map(({ name }) => name);
      const wanted = subresource === '*' ? known : [subresource];
      return subresource === '' || subresource === '*' || known.includes(subresource)
        ? wanted.map((name) => ({ resource, subresource: name }))
        : [];
    });
}

function* cases({ handles }: AdmissionPlugin): Generator<Case> {
  for (const { operations: named, resources: paths } of handles) {
    const concrete = paths.flatMap((path) => (path === '*' ? common : [path]));
    for (const place of concrete.flatMap(places)) {
      for (const operation of named) {
        for (const [index, body] of bodies(place).entries()) {
          for (const user of users) {
            const text = `${operation} of ${place.resource.plural}/${place.subresource}, object ${index}, by ${user.name}`;
            yield { text, request: requestOf(place, operation, body, user) };
          }
        }
      }
    }
  }
}

/** Nothing but metadata, an empty spec, and everything filled with odd values. */
function bodies({ resource, subresource }: { resource: ResourceFacts; subresource: string }): object[] {
  const own = resource.subresources?.find(({ name }) => name === subresource);
  const kind = own?.kind ? own : resource;
  const schema = schemaOfKind(kind) ?? schemaOfKind(resource);
  const filled = schema ? oddities.map((values) => oddObject(schema, values)) : [];
  return [{}, { spec: {} }, ...filled];
}

function requestOf(
  { resource, subresource }: { resource: ResourceFacts; subresource: string },
  operation: AdmissionRequest['operation'],
  body: object,
  user: AdmissionRequest['user'],
): AdmissionRequest {
  const namespace = resource.namespaced ? 'default' : '';
  const object = () => {
    const copy = structuredClone(body) as ApiObject;
    return { ...copy, metadata: { ...copy.metadata, name: 'a', ...(namespace ? { namespace } : {}) } };
  };
  return {
    ...{
      operation,
      verb: operation.toLowerCase(),
      resource,
      subresource,
      namespace,
      name: 'a',
      user,
      dryRun: false,
    },
    ...(operation === 'CREATE' || operation === 'UPDATE' ? { object: object() } : {}),
    ...(operation === 'UPDATE' || operation === 'DELETE' ? { previous: object() } : {}),
    ...(operation === 'CONNECT' ? { options: { kind: 'PodExecOptions', apiVersion: 'v1' } } : {}),
    warn: () => {},
    askAgain: () => {},
    annotate: () => {},
    waited: () => {},
    storeAlongside: () => {},
    onSettled: (callback) => callback(),
  };
}

async function outcomeOf(act: () => void | Promise<void>): Promise<Error | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    assert.ok(error instanceof Error);
    if (error instanceof TypeError && /read only|not extensible|Cannot delete/.test(error.message))
      throw error;
    return error;
  }
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) freeze(inner);
}
