'use strict';
const { pathToFileURL } = require('node:url');

async function start() {
  const { bundled, keepCompiled, stayLean } = await import('@wherry/node/program');
  stayLean();
  keepCompiled();
  const main = pathToFileURL(require.resolve('#main'));
  await import(pathToFileURL(await bundled(main)).href);
}

start();
