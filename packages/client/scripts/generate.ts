/**
 * Writes src/generated/kinds.ts from the schema in @wherry/kubeapi: a typed name for each built-in resource, and the
 * type that belongs to the name of a kind.
 *
 *   node packages/client/scripts/generate.ts [--into FOLDER]
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readGeneration, writeGenerated } from '../../../tools/generated.ts';
import { formatApiVersion, type ResourceFacts, resources, schemaOfKind } from '../../kubeapi/src/index.ts';

const schemaHead = readFileSync(
  join(import.meta.dirname, '../../kubeapi/src/generated/resources.ts'),
  'utf8',
);
const release = /Kubernetes 1\.([\d.]+)\./.exec(schemaHead)?.[1] ?? '';
const generation = readGeneration(import.meta.dirname, release);

const typeOf = (facts: ResourceFacts) => schemaOfKind(facts)?.name;
const lowerFirst = (name: string) =>
  name.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]/, (head) => head.toLowerCase());

/** Longest ending that a plural changes; what differs by more is called otherwise than its kind, and named after that. */
const endingMax = 2;

/** `NetworkPolicy` and `networkpolicies` → `networkPolicies`; `PodMetrics` and `pods` → `podMetrics`. */
function nameOf({ kind, plural }: ResourceFacts, type: string): string {
  let common = 0;
  while (common < kind.length && kind[common]?.toLowerCase() === plural[common]) common += 1;
  if (kind.length - common > endingMax) return lowerFirst(type);
  return lowerFirst(type.slice(0, type.length - kind.length) + kind.slice(0, common) + plural.slice(common));
}

const isFirst = (facts: ResourceFacts) => resources.find(({ kind }) => kind === facts.kind) === facts;
const served = resources.flatMap((facts) => {
  const type = typeOf(facts);
  return type ? [{ facts, type, name: nameOf(facts, isFirst(facts) ? facts.kind : type) }] : [];
});

const text = [
  `import type { ${served.map(({ type }) => type).join(', ')} } from '@wherry/kubeapi/objects';`,
  "import type { ResourceType } from '../objects/objects.ts';",
  "import { resourceType } from '../objects/resource-type.ts';",
  '',
  ...served.flatMap(({ facts: { group, version, plural, namespaced, kind }, type, name }) => [
    `/** ${kind}, ${formatApiVersion(group, version)}, ${namespaced ? 'in a namespace' : 'of the whole cluster'}. */`,
    `export const ${name}: ResourceType<${type}> = resourceType('${group}', '${version}', '${plural}');`,
  ]),
  '',
  '/** The TypeScript type of each built-in kind; of several with one name the first, as kubectl would choose. */',
  'export interface BuiltInKinds {',
  ...served.filter(({ facts }) => isFirst(facts)).map(({ facts: { kind }, type }) => `  ${kind}: ${type};`),
  '}',
  '',
].join('\n');
writeGenerated(generation, { name: 'kinds.ts', source: `Kubernetes 1.${generation.version}`, text });
