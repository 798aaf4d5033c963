import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { complaintsAbout } from './check.js';
import { fieldsMarkdown } from './markdown.js';
/** Holds a package's field tables to the schema, to the files that they name, and docs/fields to them. */
export function describeFieldDocuments(documents) {
  for (const document of documents) {
    const page = join(import.meta.dirname, '../../docs/fields', document.file);
    it(`${document.file}: every field of the schema is acted on, refused, warned of, or without effect by nature`, () => {
      assert.deepEqual(complaintsAbout(document), []);
    });
    it(`${document.file} is what tools/fields/write.ts makes`, () => {
      assert.equal(readFileSync(page, 'utf8'), fieldsMarkdown(document));
    });
  }
}
//# sourceMappingURL=suite.js.map
