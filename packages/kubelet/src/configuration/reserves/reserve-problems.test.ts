import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConfigurationError } from '../configuration-error.ts';
import { decodeConfiguration } from '../decode-configuration.ts';

function problemsOf(fields: object): readonly string[] {
  try {
    return decodeConfiguration(fields).warnings;
  } catch (error) {
    return (error as ConfigurationError).problems;
  }
}

const groups = { kubeReservedCgroup: '/kube.slice', systemReservedCgroup: 'system.slice' };
const amounts = { kubeReserved: { cpu: '100m', pid: '1000' }, systemReserved: { memory: '1Gi' } };

test('reserves are enforced on pods, the system and Kubernetes together, as a managed node sets them', () => {
  const levels = { enforceNodeAllocatable: ['pods', 'kube-reserved', 'system-reserved-compressible'] };
  assert.deepEqual(problemsOf({ ...groups, ...amounts, ...levels }), []);
  assert.deepEqual(problemsOf({ ...groups, ...amounts }), []);
  assert.deepEqual(problemsOf({ enforceNodeAllocatable: ['none'] }), []);
  assert.deepEqual(problemsOf({ enforceNodeAllocatable: [] }), []);
});

const refusals: [what: string, fields: object, says: RegExp][] = [
  [
    'a level that is not known',
    { enforceNodeAllocatable: ['nodes'] },
    /^enforceNodeAllocatable: "nodes" is not/,
  ],
  ['a level that is named twice', { enforceNodeAllocatable: ['pods', 'pods'] }, /"pods" is named twice/],
  ['none beside others', { enforceNodeAllocatable: ['none', 'pods'] }, /"none" can not stand beside others/],
  [
    'all and the compressible of one reserve',
    { ...groups, ...amounts, enforceNodeAllocatable: ['kube-reserved', 'kube-reserved-compressible'] },
    /"kube-reserved" and "kube-reserved-compressible" can not stand together/,
  ],
  [
    'a reserve without its group',
    { ...amounts, enforceNodeAllocatable: ['system-reserved'] },
    /^systemReservedCgroup: must name a control group, since .* names "system-reserved"$/,
  ],
  [
    'a group without its reserve',
    { ...groups, enforceNodeAllocatable: ['kube-reserved-compressible'] },
    /^kubeReserved: must say what its control group is held to/,
  ],
  [
    'processors by number beside a group',
    { ...groups, reservedSystemCPUs: '0' },
    /^reservedSystemCPUs: can not/,
  ],
  [
    'a group that leads elsewhere',
    { kubeReservedCgroup: '/a/../..' },
    /^kubeReservedCgroup: .*is not the path/,
  ],
  ['the root of all groups', { kubeReservedCgroup: '/' }, /^kubeReservedCgroup: "\/" is not the path/],
  [
    'a reserve of huge pages',
    { kubeReserved: { 'hugepages-2Mi': '2Mi' } },
    /^kubeReserved.hugepages-2Mi: can not/,
  ],
  [
    'a negative reserve',
    { systemReserved: { cpu: '-1' } },
    /^systemReserved.cpu: is -1: it may not be negative/,
  ],
  ['a reserve that is no quantity', { systemReserved: { pid: 'many' } }, /^systemReserved.pid: is "many"/],
  ['a class reserve of processors', { qosReserved: { cpu: '1%' } }, /qosReserved.cpu: can not be reserved/],
  [
    'a class reserve of bytes',
    { qosReserved: { memory: '1Gi' } },
    /qosReserved.memory: is "1Gi", which is no share/,
  ],
];
for (const [what, fields, says] of refusals)
  test(`${what} is refused`, () => {
    const problems = problemsOf(fields);
    assert.ok(
      problems.some((line) => says.test(line)),
      problems.join('\n'),
    );
  });

test('reserves by class are warned of, since they are off upstream too', () => {
  assert.match(problemsOf({ qosReserved: { memory: '50%' } }).join(), /^qosReserved: without effect while/);
});
