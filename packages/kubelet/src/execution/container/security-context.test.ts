import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProfileType } from '@wherry/cri';
import type { PodSecurityContext, SecurityContext } from '@wherry/kubeapi';
import { container, pod } from '../../../test/builders.ts';
import { NodePaths } from '../../ground/node-paths.ts';
import type { ImageUser } from '../images/image-manager.ts';
import { machineUsers } from '../sandbox/user-ranges.ts';
import { containerSecurityContext } from './security-context.ts';

const paths = new NodePaths({ rootDir: '/node', podLogsDir: '/logs' });

function contextOf(
  own: SecurityContext,
  more: {
    shared?: PodSecurityContext;
    user?: ImageUser;
    seccompDefault?: boolean;
    volumeGroups?: number[];
  } = {},
) {
  const { shared: securityContext = {}, user, seccompDefault = false, volumeGroups = [] } = more;
  const one = container('a', { securityContext: own });
  return containerSecurityContext({
    ...{ pod: pod({ containers: [one], securityContext }), container: one, paths, seccompDefault },
    ...{ imageUser: user ?? { uid: undefined, username: '' }, targetId: '', users: machineUsers },
    volumeGroups,
    maskedPaths: ['/proc/kcore'],
  });
}

const numbered = (uid: number) => ({ uid, username: '' });

test('who may not be root is refused as root, by a name, and by a number that is no user', () => {
  const strict = { runAsNonRoot: true };
  const refusals: [SecurityContext, ImageUser | undefined, RegExp][] = [
    [{ ...strict, runAsUser: 0 }, numbered(1_000), /runAsUser breaks non-root policy/],
    [strict, numbered(0), /image will run as root \(pod: "p_default\(uid-1\)", container: a\)/],
    [strict, undefined, /image will run as root/],
    [strict, { uid: undefined, username: 'app' }, /non-numeric user \(app\), cannot verify/],
    [strict, numbered(2 ** 31), /invalid user id \(2147483648\)\. \(Must be 1-\(2147483647\)\)/],
    [strict, numbered(-1), /invalid user id \(-1\)/],
  ];
  for (const [own, user, said] of refusals)
    assert.throws(() => contextOf(own, user ? { user } : {}), {
      code: 'CreateContainerConfigError',
      message: said,
    });
  assert.throws(() => contextOf({}, { shared: strict, user: numbered(0) }), /image will run as root/);
});

test('who may be root, or is somebody else, is let in', () => {
  contextOf({ runAsNonRoot: false, runAsUser: 0 });
  contextOf({ runAsNonRoot: false }, { shared: { runAsNonRoot: true }, user: numbered(0) });
  contextOf({ runAsNonRoot: true, runAsUser: 1_000 }, { user: { uid: undefined, username: 'app' } });
  contextOf({ runAsNonRoot: true }, { user: numbered(2 ** 31 - 1) });
  contextOf({}, { user: numbered(0) });
});

test("a container's seccomp profile goes before its pod's; the node's default is for those that name none", () => {
  const localhost = { type: 'Localhost', localhostProfile: 'mine.json' } as const;
  const profileOf = (...asked: Parameters<typeof contextOf>) => contextOf(...asked).seccomp;
  assert.deepEqual(profileOf({}), { profileType: ProfileType.Unconfined });
  assert.deepEqual(profileOf({}, { seccompDefault: true }), { profileType: ProfileType.RuntimeDefault });
  assert.deepEqual(
    profileOf({}, { seccompDefault: true, shared: { seccompProfile: { type: 'Unconfined' } } }),
    { profileType: ProfileType.Unconfined },
  );
  assert.deepEqual(
    profileOf({ seccompProfile: localhost }, { shared: { seccompProfile: { type: 'Unconfined' } } }),
    { profileType: ProfileType.Localhost, localhostRef: '/node/seccomp/mine.json' },
  );
  assert.throws(
    () => profileOf({ seccompProfile: { type: 'Localhost' } }),
    /localhostProfile must be set if seccompProfile type is Localhost\./,
  );
});

test('who is in a pod is of the groups of its volumes, too, each once', () => {
  const shared = { supplementalGroups: [7, 8], fsGroup: 9 };
  const { supplementalGroups } = contextOf({}, { shared, volumeGroups: [8, 10, 10] });
  assert.deepEqual(supplementalGroups, [7, 8, 9, 10]);
});

test('what a container does not see of the machine it sees once it wants /proc as it is', () => {
  assert.deepEqual(contextOf({}).maskedPaths, ['/proc/kcore']);
  assert.deepEqual(contextOf({ procMount: 'Unmasked' }).maskedPaths, []);
});
