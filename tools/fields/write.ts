/** Writes docs/fields from the tables of all packages: each says in test/field-documents.ts which pages it has. */
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldsMarkdown } from './markdown.ts';
import type { FieldDocument } from './table.ts';

const root = join(import.meta.dirname, '../..');
for (const file of globSync('packages/*/test/field-documents.ts', { cwd: root }).sort()) {
  const { documents }: { documents: readonly FieldDocument[] } = await import(join(root, file));
  for (const document of documents) {
    writeFileSync(join(root, 'docs/fields', document.file), fieldsMarkdown(document));
    console.log(`docs/fields/${document.file}`);
  }
}
