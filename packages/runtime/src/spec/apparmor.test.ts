import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ProfileType } from '@wherry/cri';
import { apparmorOf } from './apparmor.ts';

const isOn = (() => {
  try {
    return readFileSync('/sys/module/apparmor/parameters/enabled', 'utf8').startsWith('Y');
  } catch {
    return false;
  }
})();

const of = (profileType: ProfileType, localhostRef = '') =>
  apparmorOf({ apparmor: { profileType, localhostRef }, apparmorProfile: '', privileged: false });
const ofText = (apparmorProfile: string) => apparmorOf({ apparmorProfile, privileged: false });

test('a default AppArmor profile is refused, not left out', () => {
  const words = isOn ? /brings no AppArmor profile of its own/ : /AppArmor is not supported/;
  assert.throws(() => of(ProfileType.RuntimeDefault), words);
  assert.throws(() => ofText('runtime/default'), words);
});

test('an AppArmor profile is known by its name, with or without the old prefix', () => {
  if (!isOn) return void assert.throws(() => of(ProfileType.Localhost, 'mine'), /AppArmor is not supported/);
  assert.equal(of(ProfileType.Localhost, 'mine'), 'mine');
  assert.equal(of(ProfileType.Localhost, 'localhost/mine'), 'mine');
  assert.equal(ofText('localhost/mine'), 'mine');
});

test('a container that asks for no AppArmor profile, or for none, has none', () => {
  assert.equal(apparmorOf(undefined), undefined);
  assert.equal(ofText(''), undefined);
  assert.equal(of(ProfileType.Unconfined), undefined);
  assert.equal(ofText('unconfined'), undefined);
  assert.throws(() => ofText('mine'), /"mine" is none of/);
});

test('an AppArmor profile without its name is refused, not left out', () => {
  const refusal = { code: 'INVALID_ARGUMENT', message: /type Localhost needs its name/ };
  for (const ref of ['', 'localhost/']) assert.throws(() => of(ProfileType.Localhost, ref), refusal);
  assert.throws(() => ofText('localhost/'), refusal);
});
