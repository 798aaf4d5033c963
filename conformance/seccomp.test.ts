/** The default seccomp profile beside containerd's of the version in go.mod, rule by rule. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { before, suite, test } from 'node:test';
import { runsX32 } from '@wherry/linux';
import { capabilitiesOf } from '../packages/runtime/src/spec/capabilities.ts';
import type { OciSeccomp } from '../packages/runtime/src/spec/oci-spec.ts';
import { defaultSeccomp } from '../packages/runtime/src/spec/seccomp.ts';
import { buildGoPeer } from './peers/go-peer.ts';

const everyCapability = capabilitiesOf((1n << 41n) - 1n);

/** What a profile says of each system call, in no order. */
function rulesOf({ defaultAction, architectures, syscalls }: OciSeccomp) {
  const rules = syscalls.flatMap(({ names, action, errnoRet, args }) =>
    names.map((name) => {
      const conditions = (args ?? []).map(({ index, value, valueTwo, op }) => [
        index,
        value,
        valueTwo ?? 0,
        op,
      ]);
      return JSON.stringify([name, action, errnoRet ?? null, conditions]);
    }),
  );
  return { defaultAction, architectures: architectures?.toSorted(), rules: [...new Set(rules)].sort() };
}

suite("the default seccomp profile is containerd's", () => {
  let judge: string;
  before(async () => {
    judge = await buildGoPeer('seccompjudge');
  });

  /** Without calls of x32 where the kernel knows none: ours leaves them out there. */
  const containerds = (capabilities: readonly string[]): OciSeccomp => {
    const profile = JSON.parse(execFileSync(judge, capabilities, { encoding: 'utf8' }));
    const isCallable = (architecture: string) => architecture !== 'SCMP_ARCH_X32' || runsX32();
    return { ...profile, architectures: profile.architectures.filter(isCallable) };
  };

  test('without capabilities, with each one, with all', () => {
    for (const capabilities of [[], ...everyCapability.map((name) => [name]), everyCapability]) {
      assert.deepEqual(
        rulesOf(defaultSeccomp(capabilities)),
        rulesOf(containerds(capabilities)),
        `with ${capabilities.join(', ') || 'no capability'}`,
      );
    }
  });
});
