import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layoutOf } from '@wherry/node';
import type { Steps } from '../../output/steps.ts';
import { giveImages } from './give-images.ts';

test('an archive that is not there is said not to be there, and not taken for an image’s name', async () => {
  const steps = { run: (_: string, work: () => Promise<string>) => work() } as unknown as Steps;
  const { signal } = new AbortController();
  for (const image of ['/nowhere/app', './app', '../app.tar', 'app.tar', '~/app.tar']) {
    const giving = giveImages({ layout: layoutOf('/nowhere'), steps, images: [image], signal });
    await assert.rejects(giving, { message: `image "${image}": there is no such file` });
  }
});
