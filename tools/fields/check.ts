/** What is wrong with a field table: fields it forgets, fields that do not exist, claims that the files do not bear out. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FieldClaim, FieldDocument, FieldTable } from './table.ts';

const root = join(import.meta.dirname, '../..');

/** The file that a claim names, from the root of the repository. */
export function claimedFile(claim: string): string {
  const [room = '', ...rest] = claim.split('/');
  return `packages/${room}/src/${rest.join('/')}.ts`;
}

/** Every complaint about a page, one line each; empty when it tells the truth as far as that can be seen. */
export function complaintsAbout(document: FieldDocument): string[] {
  return document.tables.flatMap((table) => [
    ...fieldComplaints(document, table),
    ...Object.entries(table.fields).flatMap(([field, claim]) =>
      claimComplaints(claim, field).map((complaint) => `${table.message}.${field}: ${complaint}`),
    ),
  ]);
}

function fieldComplaints(document: FieldDocument, { message, fields }: FieldTable): string[] {
  const known = document.schemaFields(message);
  if (!known) return [`${message}: the schema has no such message`];
  const listed = Object.keys(fields);
  return [
    ...known.filter((name) => !listed.includes(name)).map((name) => `${message}.${name}: is in no list`),
    ...listed
      .filter((name) => !known.includes(name))
      .map((name) => `${message}.${name}: the schema has none`),
  ];
}

function claimComplaints(claim: FieldClaim, field: string): string[] {
  const { actedOn = [], refused = [], warned = [], noEffect, sets } = claim;
  const others = [...refused, ...warned].flatMap(({ by }) => (by ? [by] : []));
  const complaints = [...actedOn, ...others].flatMap((name) => fileComplaints(name, field));
  if (actedOn.length + refused.length + warned.length === 0 && !noEffect && !sets)
    complaints.push('nothing is said');
  if (noEffect && actedOn.length > 0) complaints.push('acted on and without effect at once');
  return complaints;
}

function fileComplaints(name: string, field: string): string[] {
  const file = claimedFile(name);
  if (!existsSync(join(root, file))) return [`${file} does not exist`];
  const text = readFileSync(join(root, file), 'utf8');
  const isWord = /^\w+$/.test(field);
  const isMentioned = isWord ? new RegExp(`\\b${field}\\b`).test(text) : text.includes(field);
  return isMentioned ? [] : [`${file} does not mention it`];
}
