/** The two protocols of a node's plug-ins: how they register (k8s.io/kubelet), and CSI's node service. */
import type protobuf from 'protobufjs';
import { ProtoSchema, partsOf, readProto } from '../../cri/scripts/proto-schema.ts';

/** A generated file. */
export interface ProtocolFile {
  name: string;
  source: string;
  text: string;
}

const csiModule = 'github.com/container-storage-interface/spec';
const csiVersion = 'v1.12.0';
const imports = "import type { MessageSchema, MethodSchema } from '@wherry/cri/grpc';\n\n";

/** `kubeletVersion` is that of the Go module k8s.io/kubelet. */
export function plugInProtocols(kubeletVersion: string): ProtocolFile[] {
  const path = 'pkg/apis/pluginregistration/v1/api.proto';
  const root = readProto('k8s.io/kubelet', kubeletVersion, path);
  const registration = root.lookup('pluginregistration') as protobuf.Namespace;
  const csi = readProto(csiModule, csiVersion, 'csi.proto').lookup('csi.v1') as protobuf.Namespace;
  return [
    file('plugin-registration.ts', `k8s.io/kubelet ${kubeletVersion}`, registration, ['Registration']),
    file('csi.ts', `${csiModule} ${csiVersion}`, csi, ['Node']),
  ];
}

function file(
  name: string,
  source: string,
  scope: protobuf.Namespace,
  services: readonly string[],
): ProtocolFile {
  const schema = new ProtoSchema(partsOf(scope, services));
  return { name, source, text: `${imports}${schema.schema()}\n${schema.types()}` };
}
