import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeFieldDocuments } from '../../../tools/fields/suite.ts';
import { messageNames } from '../src/scheduler/configuration/messages.ts';
import { documents } from './field-documents.ts';

describeFieldDocuments(documents);

it('every message of a scheduler’s configuration has a table', () => {
  const told = documents.flatMap(({ tables }) => tables.map(({ message }) => message));
  assert.deepEqual(told.sort(), [...messageNames].sort());
});
