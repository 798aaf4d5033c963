/**
 * Writes src/generated/nri.ts from the facts of the Node Resource Interface: names, numbers and types.
 *
 *   node packages/runtime/scripts/generate.ts [VERSION] [--into FOLDER]
 *
 * Reads api.proto of the Go module github.com/containerd/nri (default version below; needs Go), leaves its prose behind.
 */
import protobuf from 'protobufjs';
import { readGeneration, writeGenerated } from '../../../tools/generated.ts';
import { ProtoSchema, readProto } from '../../cri/scripts/proto-schema.ts';

const generation = readGeneration(import.meta.dirname, 'v0.12.3');
const { version } = generation;
const module = 'github.com/containerd/nri';

const root = readProto(module, version, 'pkg/api/api.proto');
const scope = root.lookup('nri.pkg.api.v1alpha1') as protobuf.Namespace;
const all = scope.nestedArray.flatMap((entry) => [
  entry,
  ...(entry instanceof protobuf.Type ? entry.nestedArray : []),
]);
const messages = all
  .filter((entry) => entry instanceof protobuf.Type)
  .filter(({ name }) => name !== 'LogRequest');
const enums = all.filter((entry) => entry instanceof protobuf.Enum).filter(({ name }) => name !== 'Level');
const services = all
  .filter((entry) => entry instanceof protobuf.Service)
  .filter(({ name }) => name !== 'HostFunctions');

const texts = new ProtoSchema({ messages, enums, services, isBig: (name) => name.endsWith('_at') });
const imports = "import type { MessageSchema, MethodSchema } from '@wherry/cri/grpc';\n\n";
const text = `${imports}${texts.schema()}\n${texts.types()}`;
writeGenerated(generation, { name: 'nri.ts', source: `${module} ${version}`, text });
console.log(`${messages.length} messages, ${enums.length} enums of NRI ${version}`);
