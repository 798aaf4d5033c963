import { readFileSync } from 'node:fs';
import { createKubeClient } from '@wherry/client';

const client = createKubeClient();
const text = readFileSync(process.argv[2] ?? '', 'utf8');
const applied = await client.apply(text, { fieldManager: 'example', force: true });
for (const { kind, metadata } of applied) console.log(kind, metadata?.name);
