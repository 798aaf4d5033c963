import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { invalidValue, joinFieldErrors, required } from './field-error.ts';
import { fromStatus, hasReason, type StatusError } from './status-error.ts';
import * as errors from './status-errors.ts';

const pods = { group: '', resource: 'pods' };
const deployments = { group: 'apps', resource: 'deployments' };

const table: [error: StatusError, code: number, reason: string, message: string][] = [
  [errors.notFound(pods, 'x'), 404, 'NotFound', 'pods "x" not found'],
  [errors.notFound(deployments, 'x'), 404, 'NotFound', 'deployments.apps "x" not found'],
  [errors.pathNotFound(), 404, 'NotFound', 'the server could not find the requested resource'],
  [errors.alreadyExists(pods, 'x'), 409, 'AlreadyExists', 'pods "x" already exists'],
  [
    errors.generateNameConflict(pods, 'x-1'),
    409,
    'AlreadyExists',
    'pods "x-1" already exists, the server was not able to generate a unique name for the object',
  ],
  [
    errors.staleResourceVersion(pods, 'x'),
    409,
    'Conflict',
    'Operation cannot be fulfilled on pods "x": the object has been modified; please apply your changes to the latest version and try again',
  ],
  [errors.applyConflict([], 'Apply failed with 1 conflict'), 409, 'Conflict', 'Apply failed with 1 conflict'],
  [errors.unauthorized(), 401, 'Unauthorized', 'Unauthorized'],
  [errors.forbidden(pods, 'x', 'no'), 403, 'Forbidden', 'pods "x" is forbidden: no'],
  [errors.forbidden(pods, '', 'no'), 403, 'Forbidden', 'pods is forbidden: no'],
  [errors.expired('too old'), 410, 'Expired', 'too old'],
  [errors.gone('gone'), 410, 'Gone', 'gone'],
  [
    errors.invalid({ group: '', kind: 'Pod' }, 'x', [required('spec.containers')]),
    422,
    'Invalid',
    'Pod "x" is invalid: spec.containers: Required value',
  ],
  [errors.badRequest('bad'), 400, 'BadRequest', 'bad'],
  [
    errors.methodNotSupported(pods, 'delete'),
    405,
    'MethodNotAllowed',
    'delete is not supported on resources of kind "pods"',
  ],
  [
    errors.notAcceptable(['application/json']),
    406,
    'NotAcceptable',
    'only the following media types are accepted: application/json',
  ],
  [
    errors.unsupportedMediaType(['application/json']),
    415,
    'UnsupportedMediaType',
    'the body of the request was in an unknown format - accepted media types include: application/json',
  ],
  [
    errors.requestEntityTooLarge('limit is 3145728'),
    413,
    'RequestEntityTooLarge',
    'Request entity too large: limit is 3145728',
  ],
  [errors.tooManyRequests('slow down'), 429, 'TooManyRequests', 'slow down'],
  [
    errors.serverTimeout(pods, 'list'),
    500,
    'ServerTimeout',
    'The list operation against pods could not be completed at this time, please try again.',
  ],
  [errors.timedOut('request did not complete'), 504, 'Timeout', 'Timeout: request did not complete'],
  [errors.serviceUnavailable('starting'), 503, 'ServiceUnavailable', 'starting'],
  [errors.internalError(new Error('boom')), 500, 'InternalError', 'Internal error occurred: boom'],
];

describe('failures', () => {
  for (const [error, code, reason, message] of table) {
    it(`says ${code} ${reason}: ${message.slice(0, 50)}`, () => {
      assert.equal(error.message, message);
      const { metadata, details, ...rest } = error.status;
      assert.deepEqual(rest, { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason, code });
      assert.deepEqual(metadata, {});
      assert.equal(typeof details, 'object', 'kubectl dereferences details');
    });
  }

  it('names the object in the details', () => {
    assert.deepEqual(errors.notFound(deployments, 'x').status.details, {
      name: 'x',
      group: 'apps',
      kind: 'deployments',
    });
  });

  it('lists one cause per field error', () => {
    const found = [required('spec.containers'), invalidValue('metadata.name', 'A', 'must be lower case')];
    const { status } = errors.invalid({ group: 'apps', kind: 'Deployment' }, 'A', found);
    assert.equal(
      status.message,
      'Deployment.apps "A" is invalid: [spec.containers: Required value, metadata.name: Invalid value: "A": must be lower case]',
    );
    assert.deepEqual(status.details?.causes, [
      { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.containers' },
      {
        reason: 'FieldValueInvalid',
        message: 'Invalid value: "A": must be lower case',
        field: 'metadata.name',
      },
    ]);
  });

  it('says a repeated field error once', () => {
    assert.equal(joinFieldErrors([required('a'), required('a')]), 'a: Required value');
  });

  it('comes back from a Status that a server sent', () => {
    const error = fromStatus(errors.notFound(pods, 'x').status);
    assert.ok(hasReason(error, 'NotFound'));
    assert.equal(error.code, 404);
  });

  it('is made of whatever a server calls a Status, fields of another type apart', () => {
    const hostile =
      '{"code":"x","reason":{"toString":1},"message":{"toString":1},"details":{"causes":[null,{}]}}';
    const error = fromStatus(JSON.parse(hostile));
    assert.deepEqual([error.code, error.reason, error.message], [500, 'Unknown', 'unknown']);
    assert.deepEqual(error.causes, [{}]);
    assert.deepEqual(fromStatus({ metadata: {}, details: [] as object, message: 'known' }).message, 'known');
  });

  it('wraps what is no StatusError, and only that', () => {
    const known = errors.badRequest('bad');
    assert.equal(errors.toStatusError(known), known);
    assert.equal(errors.toStatusError('text').status.message, 'Internal error occurred: text');
  });
});
