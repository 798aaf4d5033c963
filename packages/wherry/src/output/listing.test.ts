import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Column, formatListing } from './listing.ts';

interface Boat {
  name: string;
  sizeBytes: bigint;
}

const items: Boat[] = [{ name: 'one', sizeBytes: 5n }];
const columns: Column<Boat>[] = [
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'SIZE', wide: true, cell: ({ sizeBytes }) => String(sizeBytes) },
];
const listing = { items, columns, nameOf: ({ name }: Boat) => name };

test('a listing is a table, a wider one, names, JSON or YAML', () => {
  assert.equal(formatListing(listing), 'NAME\none');
  assert.equal(formatListing(listing, 'wide'), 'NAME   SIZE\none    5');
  assert.equal(formatListing(listing, 'name'), 'one');
  assert.deepEqual(JSON.parse(formatListing(listing, 'json')), [{ name: 'one', sizeBytes: 5 }]);
  assert.equal(formatListing(listing, 'yaml'), '- name: one\n  sizeBytes: 5');
});
