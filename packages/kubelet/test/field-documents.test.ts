import assert from 'node:assert/strict';
import { it } from 'node:test';
import { messageSchema } from '@wherry/kubeapi';
import { describeFieldDocuments } from '../../../tools/fields/suite.ts';
import { podTables } from '../src/intake/fields/tables.ts';
import { documents } from './field-documents.ts';

describeFieldDocuments(documents);

it('every message below a field that is acted on has a table, and no other', () => {
  const reached = new Set<string>();
  const visit = (message: string) => {
    if (reached.has(message)) return;
    reached.add(message);
    const verdicts = podTables.get(message) ?? {};
    for (const [name, field] of messageSchema(message).jsonFields) {
      if (field.message && (verdicts[name]?.actedOn || !verdicts[name])) visit(field.message);
    }
  };
  visit('PodSpec');
  assert.deepEqual([...podTables.keys()].sort(), [...reached].sort());
});
