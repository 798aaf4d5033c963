/** What clients say that they take, by chance. */
import type { SeededRandom } from '../../../packages/kubeapi/test/random-object.ts';

const protobuf = 'application/vnd.kubernetes.protobuf';
const usual = [protobuf, protobuf, protobuf, 'application/json', 'application/json', 'application/yaml'];
const odd = [
  ...['*/*', 'application/*', 'text/html', 'application/cbor', 'x', '', 'text/*', 'APPLICATION/JSON'],
  ...[`${protobuf};stream=watch`, 'application/json;stream=watch', 'application/yaml;stream=watch'],
  ...[`${protobuf};stream=x`, 'application/json;sv=v1', 'application/json;charset=utf-8', `${protobuf};a=b`],
  ...['application/json;pretty=1', 'application/json;pretty=0', `${protobuf};pretty=1`, ';', ',', '*'],
];
const shapes = ['Table', 'Table', 'PartialObjectMetadata', 'PartialObjectMetadataList', 'x'];
const versions = ['v1', 'v1', 'v1', 'v1beta1', 'v2', ''];
const groups = ['meta.k8s.io', 'meta.k8s.io', 'meta.k8s.io', 'meta.k8s.io', 'x', ''];
const qualities = ['', '', '', ';q=0.5', ';q=0.9', ';q=0', ';q=x', '; q=1', ';q=0.001', ';q=2'];

/** An Accept header of one to three clauses. */
export function accept(random: SeededRandom): string {
  const count = random.pick([1, 1, 1, 2, 2, 3]);
  return Array.from({ length: count }, () => clause(random)).join(random.pick([',', ', ']));
}

function clause(random: SeededRandom): string {
  const type = random.below(6) === 0 ? random.pick(odd) : random.pick(usual);
  const shape = random.below(3) === 0 ? shaped(random) : '';
  return `${type}${shape}${random.pick(qualities)}`;
}

function shaped(random: SeededRandom): string {
  const parts = [`as=${random.pick(shapes)}`, `g=${random.pick(groups)}`, `v=${random.pick(versions)}`];
  if (random.below(12) === 0) parts.splice(random.below(3), 1);
  return `;${parts.join(random.pick([';', '; ']))}`;
}
