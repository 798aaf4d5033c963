/**
 * Writes src/generated/schema.ts and src/generated/types.ts from the facts of CRI v1: names, numbers and types.
 *
 *   node packages/cri/scripts/generate.ts [VERSION] [--into FOLDER]
 *
 * Reads api.proto of the Go module k8s.io/cri-api (default version below; needs Go), leaves its prose behind.
 */
import protobuf from 'protobufjs';
import { readGeneration, writeGenerated } from '../../../tools/generated.ts';
import { ProtoSchema, readProto } from './proto-schema.ts';

const generation = readGeneration(import.meta.dirname, 'v0.37.2');
const { version } = generation;

const root = readProto('k8s.io/cri-api', version, 'pkg/apis/runtime/v1/api.proto');
const scope = root.lookup('runtime.v1') as protobuf.Namespace;
const all = scope.nestedArray.flatMap((entry) => [
  entry,
  ...(entry instanceof protobuf.Type ? entry.nestedArray : []),
]);
const enums = all.filter((entry) => entry instanceof protobuf.Enum);
const messages = all.filter((entry) => entry instanceof protobuf.Type);
const services = all.filter((entry) => entry instanceof protobuf.Service);

/** Times in nanoseconds pass 2^53; every other 64-bit number of CRI is a count that a double holds. */
const isBig = (name: string) => /(_at|^timestamp)$/.test(name);

const texts = new ProtoSchema({ messages, enums, services, isBig });
const source = `k8s.io/cri-api ${version}`;
const imports = "import type { MessageSchema, MethodSchema } from '../grpc/schema.ts';\n\n";
writeGenerated(generation, { name: 'schema.ts', source, text: imports + texts.schema() });
writeGenerated(generation, { name: 'types.ts', source, text: texts.types() });
console.log(
  `${messages.length} messages, ${enums.length} enums, ${services.length} services of CRI ${version}`,
);
