import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCidr } from '@wherry/kubeapi';
import { Command } from 'commander';
import { addNodeRangeFlags, nodeRangesOf } from './node-range-flags.ts';

const rangesOf = (...words: string[]) =>
  nodeRangesOf(addNodeRangeFlags(new Command()).exitOverride().parse(words, { from: 'user' }).opts());

test('nodes get ranges of pods as kubeadm’s flags of the controller manager say', () => {
  assert.equal(rangesOf(), undefined);
  // Upstream ignores the range then, and installers whose network gives ranges itself say both.
  assert.equal(rangesOf('--allocate-node-cidrs=false', '--cluster-cidr=10.244.0.0/16'), undefined);
  assert.deepEqual(
    rangesOf(
      ...['--allocate-node-cidrs=true', '--cluster-cidr=10.244.0.0/16'],
      '--service-cluster-ip-range=10.96.0.0/12',
    ),
    {
      ranges: [{ range: parseCidr('10.244.0.0/16'), nodePrefixBits: 24 }],
      excluded: [parseCidr('10.96.0.0/12')],
    },
  );
  const both = rangesOf(
    ...['--allocate-node-cidrs', '--cluster-cidr', 'fd00:10:244::/56,10.244.0.0/16'],
    '--node-cidr-mask-size-ipv4=26',
  );
  assert.deepEqual(
    both?.ranges.map(({ range, nodePrefixBits }) => [range.family, nodePrefixBits]),
    [
      [6, 64],
      [4, 26],
    ],
  );
});

test('what no node could get a range by is refused by the flag that says it', () => {
  const on = '--allocate-node-cidrs';
  const refused = [
    [[on], /--allocate-node-cidrs: .*--cluster-cidr/],
    [[on, '--cluster-cidr=10.244.0.0'], /--cluster-cidr: "10.244.0.0" is neither/],
    [[on, '--cluster-cidr=10.1.0.0/16,10.2.0.0/16'], /--cluster-cidr: .* one of each family/],
    [[on, '--cluster-cidr=10.1.0.0/25'], /--node-cidr-mask-size-ipv4: 24 is none from 25 to 32/],
    [[on, '--cluster-cidr=fd00::/40'], /--node-cidr-mask-size-ipv6: 64 is none from 40 to 56/],
    [
      [on, '--cluster-cidr=10.1.0.0/16,fd00::/56', '--node-cidr-mask-size=24'],
      /--node-cidr-mask-size: is for one range alone/,
    ],
    [[on, '--cluster-cidr=10.1.0.0/16', '--service-cluster-ip-range=x'], /--service-cluster-ip-range: "x"/],
  ] as const;
  for (const [words, message] of refused)
    assert.throws(() => rangesOf(...words), { code: 'bad-settings', message });
});
