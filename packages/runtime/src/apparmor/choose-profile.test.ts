import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProfileType } from '@wherry/cri';
import type { ProfilesAtHand } from './apparmor-profiles.ts';
import { chooseProfile } from './choose-profile.ts';

const off: ProfilesAtHand = { loaded: undefined };
const on: ProfilesAtHand = { loaded: new Set(['mine', 'wherry-default']) };
const withoutDefault: ProfilesAtHand = { loaded: new Set(['mine']), defaultProblem: 'no parser' };

const of = (profileType: ProfileType, localhostRef = '', at = on, privileged = false) =>
  chooseProfile({ apparmor: { profileType, localhostRef }, apparmorProfile: '', privileged }, at);
const ofText = (apparmorProfile: string, at = on, privileged = false) =>
  chooseProfile({ apparmorProfile, privileged }, at);

test('a container that asks for no AppArmor profile, or for the default, has the default one, unless it is privileged', () => {
  for (const privileged of [false, true]) {
    const wanted = privileged ? undefined : 'wherry-default';
    assert.equal(ofText('', on, privileged), wanted);
    assert.equal(ofText('runtime/default', on, privileged), wanted);
    assert.equal(of(ProfileType.RuntimeDefault, '', on, privileged), wanted);
  }
  assert.equal(chooseProfile(undefined, on), 'wherry-default');
});

test('a default AppArmor profile that is missing is refused to who asks for it, and left out for others', () => {
  assert.equal(ofText('', withoutDefault), undefined);
  assert.throws(() => ofText('runtime/default', withoutDefault), /no default AppArmor profile: no parser/);
  assert.equal(ofText('', off), undefined);
  assert.throws(() => of(ProfileType.RuntimeDefault, '', off), /AppArmor is not supported/);
});

test('an AppArmor profile is known by its name, with or without the old prefix, if it is loaded', () => {
  assert.equal(of(ProfileType.Localhost, 'mine'), 'mine');
  assert.equal(of(ProfileType.Localhost, 'localhost/mine', on, true), 'mine');
  assert.equal(ofText('localhost/mine', withoutDefault), 'mine');
  assert.throws(() => ofText('localhost/yours'), /profile "yours" is not loaded/);
  assert.throws(() => of(ProfileType.Localhost, 'mine', off), /AppArmor is not supported/);
});

test('a container that asks for no AppArmor confinement has none', () => {
  for (const at of [on, off]) {
    assert.equal(of(ProfileType.Unconfined, '', at), undefined);
    assert.equal(ofText('unconfined', at), undefined);
  }
  assert.throws(() => ofText('mine'), /"mine" is none of/);
});

test('an AppArmor profile without its name is refused, not left out', () => {
  const refusal = { code: 'INVALID_ARGUMENT', message: /type Localhost needs its name/ };
  for (const ref of ['', 'localhost/']) assert.throws(() => of(ProfileType.Localhost, ref), refusal);
  assert.throws(() => ofText('localhost/'), refusal);
});
