/**
 * Definitions of custom resources and their objects beside upstream's apiextensions: sound ones, and ones that chance has
 * changed. SEED=N asks other questions, ROUNDS=N more of them.
 */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import {
  builtInType,
  type CustomResourceDefinition,
  customType,
  type JsonObject,
  jsonEqual,
  loadPatternEngine,
} from '@wherry/kubeapi';
import { SeededRandom } from '../packages/kubeapi/test/random-object.ts';
import { changedSchema, valueFor } from './customresources/chance.ts';
import { schemas } from './customresources/definitions.ts';
import { buildGoPeer } from './peers/go-peer.ts';
import { Judge } from './peers/kubeapi-judge.ts';

const seed = Number(process.env['SEED'] ?? 1);
const rounds = Number(process.env['ROUNDS'] ?? 150);
const objectsEach = 20;

interface Violation {
  type: string;
  field: string;
}
interface Answer {
  error?: string;
  violations: Violation[];
  objects: { object: JsonObject; pruned: string[] | null; violations: Violation[] }[] | null;
}

let judge: Judge<Answer>;
before(async () => {
  await loadPatternEngine();
  judge = new Judge(await buildGoPeer('customresourcesjudge'));
});
after(() => judge.close());

const definitionType = builtInType({
  ...{ group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' },
});
const definitionOf = (schema: JsonObject): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    ...{ group: 'example.com', scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' } },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
});

/** As it is checked when it is made. */
function readDefinition(definition: JsonObject): CustomResourceDefinition {
  const { object } = definitionType.read(structuredClone(definition));
  definitionType.setDefaults(object);
  return { ...object, status: { storedVersions: ['v1'] } } as unknown as CustomResourceDefinition;
}

const lines = (violations: readonly Violation[]) =>
  [...new Set(violations.map(({ type, field }) => `${type.replace('FieldValue', '')} ${field}`))].sort();

it('definitions are refused for the fields for which upstream refuses them', async () => {
  const random = new SeededRandom(seed);
  const found: string[] = [];
  let refused = 0;
  for (let round = 0; round < rounds; round += 1) {
    const schema = changedSchema(random.pick(Object.values(schemas)), random);
    const definition = definitionOf(schema);
    const answer = await judge.ask({ definition, objects: [] });
    if (answer.error !== undefined) continue;
    const ours = lines(definitionType.checkNew(readDefinition(definition)));
    const theirs = lines(answer.violations);
    if (theirs.length > 0) refused += 1;
    if (!jsonEqual(ours, theirs)) found.push(`ours ${ours}\ntheirs ${theirs}\n${JSON.stringify(schema)}`);
  }
  assert.deepEqual(found, []);
  assert.ok(refused > rounds / 4, `${refused} of ${rounds} were refused`);
});

for (const [word, schema] of Object.entries(schemas)) {
  it(`objects after the schema of ${word} are pruned, completed and checked as upstream does it`, async () => {
    const random = new SeededRandom(seed);
    const definition = definitionOf(schema);
    const parsed = readDefinition(definition);
    assert.deepEqual(definitionType.checkNew(parsed), []);
    const type = customType(parsed, parsed.spec.versions[0]!);
    const objects = Array.from({ length: Math.ceil((rounds * objectsEach) / 30) }, (): JsonObject => {
      const { metadata: _metadata, ...content } = Object(valueFor(schema, random)) as JsonObject;
      return {
        ...content,
        apiVersion: 'example.com/v1',
        kind: 'Thing',
        metadata: { name: 'a', namespace: 'b' },
      };
    });
    const answer = await judge.ask({ definition, objects });
    assert.deepEqual([answer.error, answer.violations], [undefined, []]);
    for (const [index, asked] of objects.entries()) {
      const theirs = answer.objects![index]!;
      const { object, unknownFields } = readOrNothing(type, asked);
      if (!object) continue;
      type.setDefaults(object);
      assert.deepEqual(object, theirs.object, JSON.stringify(asked));
      assert.deepEqual(unknownFields, theirs.pruned ?? [], JSON.stringify(asked));
      const [mine, other] = [lines(type.checkNew(object)), lines(theirs.violations)];
      // Of alternatives that all fail upstream tells what is wrong with the one that it likes best.
      if (other.some((line) => line.endsWith('<nil>'))) assert.ok(mine.length > 0);
      else assert.deepEqual(mine, other, JSON.stringify(asked));
    }
  });
}

/** Metadata inside of an object that has not the form of metadata is refused before anything is looked at. */
function readOrNothing(type: ReturnType<typeof customType>, asked: JsonObject) {
  try {
    return type.read(structuredClone(asked));
  } catch {
    return { object: undefined, unknownFields: [] };
  }
}
