import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RemoteCommandError } from './errors.ts';
import { protocols } from './protocols.ts';
import type { CommandOutcome } from './session.ts';
import { decodeExitCode, encodeStatus, type StatusAuthor } from './status.ts';

const exited = (exitCode: number, message?: string): CommandOutcome => ({
  kind: 'exited',
  exitCode,
  message,
});
const failed = (message: string): CommandOutcome => ({ kind: 'failed', message });

/** Texts as Kubernetes 1.36 puts them on the wire. */
const written: {
  name: string;
  outcome: CommandOutcome;
  author: StatusAuthor;
  protocol: string;
  text: string;
}[] = [
  {
    name: 'success of a runtime',
    outcome: exited(0),
    author: 'runtime',
    protocol: protocols.v4,
    text: '{"status":"Success"}',
  },
  {
    name: 'success through a translator',
    outcome: exited(0),
    author: 'translator',
    protocol: protocols.v5,
    text: '{"metadata":{},"status":"Success"}',
  },
  {
    name: 'exit code 3 of a runtime',
    outcome: exited(3, 'error executing command [sh -c exit 3], exit code 3'),
    author: 'runtime',
    protocol: protocols.v4,
    text: '{"status":"Failure","message":"command terminated with non-zero exit code: error executing command [sh -c exit 3], exit code 3","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"3"}]}}',
  },
  {
    name: 'exit code 3 through a translator',
    outcome: exited(3),
    author: 'translator',
    protocol: protocols.v5,
    text: '{"metadata":{},"status":"Failure","message":"command terminated with exit code 3","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"3"}]}}',
  },
  {
    name: 'a start failure of a runtime',
    outcome: failed('error executing command in container: no such file'),
    author: 'runtime',
    protocol: protocols.v4Base64,
    text: '{"status":"Failure","message":"Internal error occurred: error executing command in container: no such file","reason":"InternalError","code":500}',
  },
  {
    name: 'a start failure through a translator, wrapped once more',
    outcome: failed('Internal error occurred: error executing'),
    author: 'translator',
    protocol: protocols.v5,
    text: '{"metadata":{},"status":"Failure","message":"Internal error occurred: Internal error occurred: error executing","reason":"InternalError","details":{"causes":[{"message":"Internal error occurred: error executing"}]},"code":500}',
  },
  { name: '30: success before v4', outcome: exited(0), author: 'runtime', protocol: protocols.v3, text: '' },
  {
    name: '30: exit code 3 before v4',
    outcome: exited(3, 'exit status 3'),
    author: 'runtime',
    protocol: protocols.v1,
    text: 'command terminated with non-zero exit code: exit status 3',
  },
];

for (const { name, outcome, author, protocol, text } of written) {
  test(`${name} is written as upstream writes it`, () => {
    assert.equal(Buffer.from(encodeStatus(outcome, protocol, author)).toString(), text);
  });
}

const exitStatus = (message: string) =>
  `{"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"${message}"}]}}`;

const read: {
  name: string;
  text: string;
  protocol?: string;
  exitCode?: number;
  code?: string;
  message?: RegExp;
}[] = [
  { name: '29: success without metadata', text: '{"status":"Success"}', exitCode: 0 },
  { name: '29: success with metadata', text: '{"metadata":{},"status":"Success"}\n', exitCode: 0 },
  { name: '26: exit code 1', text: exitStatus('1'), exitCode: 1 },
  { name: '26: exit code 255', text: exitStatus('255'), exitCode: 255 },
  {
    name: '27: exit code 256',
    text: exitStatus('256'),
    code: 'badStatus',
    message: /invalid exit code value "256"/,
  },
  {
    name: '27: an exit code that is text',
    text: exitStatus('x'),
    code: 'badStatus',
    message: /invalid exit code value "x"/,
  },
  {
    name: '27: no details',
    text: '{"status":"Failure","reason":"NonZeroExitCode"}',
    code: 'badStatus',
    message: /details must be set/,
  },
  {
    name: '27: no cause',
    text: '{"status":"Failure","reason":"NonZeroExitCode","details":{}}',
    code: 'badStatus',
    message: /no ExitCode cause given/,
  },
  {
    name: '27: no JSON',
    text: 'oops',
    code: 'badStatus',
    message: /^error stream protocol error: .* in "oops"$/,
  },
  { name: '27: an unknown status', text: '{"status":"Maybe"}', code: 'badStatus', message: /unknown error/ },
  ...[
    '{"status":{"toString":1}}',
    '{"status":"Failure","message":{"toString":1,"valueOf":1}}',
    `{"status":"Failure","message":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    '{"status":"Failure","reason":"NonZeroExitCode","details":3}',
    '{"status":"Failure","reason":"NonZeroExitCode","details":{"causes":{"length":1}}}',
    '{"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[3]}}',
    '{"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":{"toString":1}}]}}',
    '{"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":3}]}}',
  ].map((text) => ({
    name: `27: a field of another type, ${text.slice(0, 110)},`,
    text,
    code: 'badStatus',
    message: /^error stream protocol error: .* is no (text|object|list) in "/,
  })),
  {
    name: '27: what a status has not of its own',
    text: '{"__proto__":{"status":"Success"}}',
    code: 'badStatus',
    message: /unknown error/,
  },
  {
    name: 'another failure',
    text: '{"status":"Failure","reason":"InternalError","message":"Internal error occurred: x","code":500}',
    code: 'failure',
    message: /^Internal error occurred: x$/,
  },
  {
    name: '28: nothing where a status was due',
    text: '',
    code: 'missingStatus',
    message: /output may be incomplete/,
  },
  { name: '30: nothing before v4', text: '', protocol: protocols.v2, exitCode: 0 },
  {
    name: '30: a text on v1',
    text: 'boom',
    protocol: protocols.v1,
    code: 'failure',
    message: /^Error executing remote command: boom$/,
  },
  {
    name: '30: a text on v3',
    text: 'boom',
    protocol: protocols.v3,
    code: 'failure',
    message: /^error executing remote command: boom$/,
  },
];

for (const { name, text, protocol = protocols.v4, exitCode, code, message } of read) {
  test(`${name} is read as ${exitCode ?? code}`, () => {
    const decode = () => decodeExitCode(Buffer.from(text), protocol);
    if (exitCode !== undefined) return assert.equal(decode(), exitCode);
    assert.throws(decode, (error) => {
      assert.ok(error instanceof RemoteCommandError);
      assert.equal(error.code, code);
      assert.match(error.message, message ?? /./);
      return true;
    });
  });
}

test('112: both authors and the doubled internal error come to the same result for the user', () => {
  for (const author of ['runtime', 'translator'] as const) {
    assert.equal(decodeExitCode(encodeStatus(exited(42, 'text'), protocols.v4, author), protocols.v4), 42);
    const failure = encodeStatus(failed('Internal error occurred: no such file'), protocols.v4, author);
    assert.throws(
      () => decodeExitCode(failure, protocols.v4),
      /^RemoteCommandError: Internal error occurred: Internal error occurred: no such file$/,
    );
  }
});
