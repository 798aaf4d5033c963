import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ImageError } from '@wherry/images';
import { RemoteCommandError } from '@wherry/remotecommand';
import { describeError } from './errors.ts';

test('what a user can cause is told in one line, without a stack', () => {
  const told = [
    new RemoteCommandError('failure', 'the container has no "nosuchprogram"'),
    new ImageError('NOT_FOUND', 'image "nope" is not on this machine'),
  ].map(describeError);
  assert.deepEqual(told, [
    'error: the container has no "nosuchprogram"',
    'error: image "nope" is not on this machine',
  ]);
});

test('what the system refuses names the file and says what to do', () => {
  const failure = (path: string): unknown => {
    try {
      return readFileSync(path);
    } catch (error) {
      return error;
    }
  };
  assert.equal(describeError(failure('/nonexistent')), 'error: "/nonexistent": no such file or folder');
  assert.equal(describeError(failure('/')), 'error: read: is a folder');
});

test('a refusal of the server has its reason, unless it names none', () => {
  const refusal = (reason: string) => Object.assign(new Error('no'), { name: 'StatusError', reason });
  assert.equal(describeError(refusal('Forbidden')), 'Error from server (Forbidden): no');
  assert.equal(describeError(refusal('Unknown')), 'Error from server: no');
});

test('a message that says itself that it is an error gets no second prefix', () => {
  const error = Object.assign(new Error('Error from server (NotFound): pods "x" not found'), {
    name: 'CommandError',
  });
  assert.equal(describeError(error), 'Error from server (NotFound): pods "x" not found');
});

test('a defect of ours shows its stack and asks to be reported', () => {
  assert.match(
    describeError(new TypeError('x is not a function')),
    /report it: TypeError: x is not.*\n +at /s,
  );
});
