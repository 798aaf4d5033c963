import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeMessage, encodeMessage } from '@wherry/cri';
import { protoJson } from './proto-json.ts';

test('a configuration shows in verbose answers as containerd shows it: names of the .proto, nothing empty', () => {
  const config = {
    metadata: { name: 'main', attempt: 0 },
    image: { image: 'sha256:1', userSpecifiedImage: 'a:v1' },
    envs: [{ key: 'WHO', value: Buffer.from('me') }],
    args: ['-c', ''],
    mounts: [{ containerPath: '/data', readonly: true, uidMappings: [{ hostId: 5, length: 1 }] }],
    labels: { Some_Key: 'value' },
    logPath: 'main/0.log',
    cdiDevices: [{ name: 'a/b=c' }],
    linux: { securityContext: { runAsUser: { value: 0 } } },
  };
  const read = decodeMessage('ContainerConfig', encodeMessage('ContainerConfig', config)) as object;
  assert.deepEqual(protoJson('ContainerConfig', read), {
    metadata: { name: 'main' },
    image: { image: 'sha256:1', user_specified_image: 'a:v1' },
    envs: [{ key: 'WHO', value: 'me' }],
    args: ['-c', ''],
    mounts: [{ container_path: '/data', readonly: true, uidMappings: [{ host_id: 5, length: 1 }] }],
    labels: { Some_Key: 'value' },
    log_path: 'main/0.log',
    CDI_devices: [{ name: 'a/b=c' }],
    linux: { security_context: { run_as_user: {} } },
  });
});
