/**
 * The protocols of a node's plug-ins: how they register, those of devices, of claims on devices and of their health, and who asks for what pods got of them
 * (k8s.io/kubelet), and CSI's node service.
 */
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
  const kubelet = (path: string, scope: string) =>
    readProto('k8s.io/kubelet', kubeletVersion, `pkg/apis/${path}/api.proto`).lookup(
      scope,
    ) as protobuf.Namespace;
  const source = `k8s.io/kubelet ${kubeletVersion}`;
  const registration = kubelet('pluginregistration/v1', 'pluginregistration');
  const devices = kubelet('deviceplugin/v1beta1', 'v1beta1');
  const claims = kubelet('dra/v1', 'k8s.io.kubelet.pkg.apis.dra.v1');
  const health = kubelet('dra-health/v1alpha1', 'v1alpha1');
  const csi = readProto(csiModule, csiVersion, 'csi.proto').lookup('csi.v1') as protobuf.Namespace;
  return [
    file('plugin-registration.ts', source, registration, ['Registration']),
    file('device-plugin.ts', source, devices, ['Registration', 'DevicePlugin']),
    file('pod-resources.ts', source, kubelet('podresources/v1', 'v1'), ['PodResourcesLister']),
    file('pod-resources-v1alpha1.ts', source, kubelet('podresources/v1alpha1', 'v1alpha1'), [
      'PodResourcesLister',
    ]),
    file('dra-plugin.ts', source, claims, ['DRAPlugin']),
    file('dra-health.ts', source, health, ['DRAResourceHealth']),
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
